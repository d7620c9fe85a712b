// Namespaces, nested and merged, and names for what is in them.
namespace Geometry {
  export const unit = 1;
  const hidden = 2;
  export interface Point {
    x: number;
    y: number;
  }
  export function distance(a: Point, b: Point): number {
    return Math.hypot(a.x - b.x, a.y - b.y) * unit;
  }
  export namespace Shapes {
    export class Square {
      constructor(public side: number) {}
      get area() {
        return this.side ** hidden;
      }
    }
    export let count = 0;
    count += 1;
  }
}
namespace Geometry {
  export const doubled = Geometry.unit * 2;
}
namespace Types {
  export type OnlyTypes = string;
}
class Merged {
  static create() {
    return new Merged();
  }
}
namespace Merged {
  export const version = "1.0";
}
function counter() {
  counter.calls += 1;
}
namespace counter {
  export let calls = 0;
}
import Shapes = Geometry.Shapes;
counter();
counter();
console.log(Geometry.distance({ x: 0, y: 0 }, { x: 3, y: 4 }), Geometry.doubled, "hidden" in Geometry);
console.log(new Shapes.Square(3).area, Shapes.count, Merged.version, Merged.create() instanceof Merged, counter.calls);
const text: Types.OnlyTypes = "text";
console.log(text, typeof Types);
