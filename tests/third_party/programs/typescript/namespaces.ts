namespace Geometry { export const PI = 3; export function area(r: number): number { return PI * r * r; } export namespace Deep { export class Point { constructor(public x: number, public y = 0) {} } } }
namespace Geometry { export const TAU = PI * 2; }
console.log(Geometry.area(2), new Geometry.Deep.Point(1), Geometry.TAU);
