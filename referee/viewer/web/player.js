// Where a replay is, and its clock: goes from step to step, alone or when told, and tells whoever listens.

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];
const PACE = 900; // milliseconds a step at speed 1

export class Player {
  constructor(steps) {
    this.last = steps - 1;
    this.step = 0;
    this.playing = false;
    this.speed = 1;
    this.listeners = [];
  }

  get interval() {
    return PACE / this.speed;
  }

  listen(listener) {
    this.listeners.push(listener);
  }

  // `how` is what led there: "jump", "step" or "play".
  go(step, how = "jump") {
    const to = Math.min(this.last, Math.max(0, step));
    if (to === this.step) return;
    const from = this.step;
    this.step = to;
    if (how !== "play" && this.playing) this.wait();
    this.tell(from, how);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    const again = this.step === this.last;
    this.playing = true;
    if (again) {
      this.go(0);
    }
    this.wait();
    this.tell(this.step, "state");
  }

  pause() {
    this.playing = false;
    clearTimeout(this.timer);
    this.tell(this.step, "state");
  }

  faster(by) {
    const next = SPEEDS.indexOf(this.speed) + by;
    this.setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, next))]);
  }

  setSpeed(speed) {
    this.speed = speed;
    if (this.playing) this.wait();
    this.tell(this.step, "state");
  }

  wait() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.go(this.step + 1, "play");
      if (this.step === this.last) this.pause();
      else this.wait();
    }, this.interval);
  }

  tell(from, how) {
    for (const listener of this.listeners) listener(this, from, how);
  }
}
