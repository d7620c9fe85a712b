// Decorators as they were before the standard: who takes a `PropertyDescriptor`, or decorates parameters, means these.
function log(target: any, key: string, descriptor: PropertyDescriptor) {
  const original = descriptor.value;
  descriptor.value = function (...args: any[]) {
    console.log(`${key}(${args})`);
    return original.apply(this, args);
  };
  return descriptor;
}
const required: [string, number][] = [];
function checked(target: object, key: string | symbol, index: number) {
  required.push([String(key), index]);
}
function sealed(constructor: Function) {
  Object.seal(constructor.prototype);
}
function initial(value: number) {
  return (target: any, key: string) => {
    target[`initial_${key}`] = value;
  };
}
@sealed
class Service {
  @initial(3) declare count: number;
  @log
  run(@checked name: string, times = 1): string {
    return name.repeat(times);
  }
}
const service = new Service();
console.log(service.run("ab", 2), required, Object.isSealed(Service.prototype), (service as any).initial_count);
