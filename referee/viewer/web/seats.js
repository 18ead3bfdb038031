// How each player is painted: in the colour of its pieces where the game deals some, else in one of its seat's own.

const PIECES = {
  red: "#d55e00", white: "#ffffff", brown: "#7a4f2a", black: "#111111", green: "#009e73", blue: "#0072b2",
  yellow: "#f0e442", orange: "#e69f00", purple: "#cc79a7",
};
// Okabe and Ito's palette, which people with any kind of colour vision can tell apart.
const SEATS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442"];

export function paint(seat, color) {
  return Object.hasOwn(PIECES, color) ? PIECES[color] : SEATS[seat % SEATS.length];
}
