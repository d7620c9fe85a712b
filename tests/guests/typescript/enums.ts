// Enumerations of every kind.
enum Direction {
  Up,
  Down = 5,
  Left,
}
enum Colour {
  Red = "r",
  Green = "g",
}
enum Flags {
  None = 0,
  Read = 1 << 0,
  Write = 1 << 1,
  Both = Read | Write,
  Length = "text".length,
}
const enum Fixed {
  One = 1,
  Two = One * 2,
}
declare enum Elsewhere {
  A,
}
enum Direction {
  Right = 10,
}
export enum Shared {
  Yes = "yes",
}
console.log(Direction, Direction.Left, Direction[5], Direction.Right);
console.log(Colour, Object.values(Colour), Flags.Both, Flags[3], Flags.Length, Fixed.Two, Shared.Yes);
function local(): number {
  enum Inner {
    A = 3,
  }
  return Inner.A;
}
console.log(local(), ((direction: Direction) => direction === Direction.Up)(0));
switch (Colour.Red as Colour) {
  case Colour.Red:
    console.log("red");
    break;
  default:
    console.log("other");
}
