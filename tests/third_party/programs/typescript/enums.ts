enum Color { Red, Green = 5, Blue }
enum Direction { Up = "UP", Down = "DOWN" }
const enum Flag { A = 1 << 0, B = 1 << 1, Both = A | B }
console.log(Color.Red, Color.Blue, Color[5], Color, Direction.Up, Object.values(Direction), Flag.Both);
function name(c: Color): string { switch (c) { case Color.Red: return "red"; case Color.Green: return "green"; default: return Color[c].toLowerCase(); } }
console.log([Color.Red, Color.Green, Color.Blue].map(name), Object.keys(Color).filter((k) => isNaN(Number(k))));
enum Computed { Length = "abc".length, Next = Length * 2 } console.log(Computed.Next, Computed);
