// The pictures of a game, put together again from what changes between them.

const KEPT_EVERY = 64; // pictures: from the nearest kept one the others are not far

export class Film {
  constructor({ lines, changes }) {
    this.lines = lines;
    this.changes = changes;
    this.kept = new Map();
    this.at = -1;
    this.picture = [];
  }

  text(step) {
    const base = step - (step % KEPT_EVERY);
    if (step < this.at || (base > this.at && this.kept.has(base))) this.rewind(base);
    while (this.at < step) {
      this.at += 1;
      for (const [at, gone, come] of this.changes[this.at]) this.picture.splice(at, gone, ...come);
      if (this.at % KEPT_EVERY === 0) this.kept.set(this.at, this.picture.slice());
    }
    return this.picture.map((line) => this.lines[line]).join("");
  }

  rewind(base) {
    this.at = this.kept.has(base) ? base : -1;
    this.picture = this.at < 0 ? [] : this.kept.get(base).slice();
  }
}
