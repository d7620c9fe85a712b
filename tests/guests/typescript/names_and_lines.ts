// Words of the language of types as names, and lines that end behind types and behind such words.
class Fields {
  override
  readonly
  declare
  abstract
  x = 1
}
class Members { override = 1; readonly = 2; declare: number = 3; abstract!: number; static = 5; accessor: number = 6; type = 7; get = 8; private = 9 }
class Methods { override() { return 1 } readonly() { return 2 } declare() { return 3 } abstract() { return 4 } type() { return 5 } }
console.log(Object.keys(new Fields()).join(), JSON.stringify(new Members()))
const methods = new Methods() as any
console.log(["override", "readonly", "declare", "abstract", "type"].map((name) => methods[name]()).join())

let namespace = 1
namespace
let type = 2
type
type = 5
let module = 3
module
{ console.log("a block") }
let declare = 4
declare
let abstract = 7
abstract
const as = 8, satisfies = 9, is = 10, keyof = 11, infer = 12, override = 13, readonly = 14, any = 15, unknown = 16, global = 17
console.log(namespace, type, module, declare, abstract, as + satisfies + is + keyof + infer + override + readonly + any + unknown + global)
declare
var late = "assigned"
abstract
class Plain {}
console.log(late, typeof Plain, as as any, satisfies satisfies number)

let noValue: number
let list: Array<number>
let shape: { a: number }
let call: () => void
let either: string | undefined
let same: typeof namespace
const after = 1
console.log(noValue!, list!, shape!, call!, either!, same!, after)

type Union =
  | "a"
  | "b"
type Deep<
  T,
  K extends keyof T = keyof T,
> = {
  [P in K]: T[P]
}
function generic<
  T extends object,
  U = string
>(
  first: T,
  second?: U
): T
{
  return first
}
const arrow = (
  value: number,
): number
  | string => value
const asserted = 1 as
  number
const deep: Deep<{ a: 1 }> = { a: 1 }
const union: Union = "a"
console.log(generic<
  { x: number }
>({ x: 1 }), arrow(2), asserted, deep, union)
