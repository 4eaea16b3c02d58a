/** What a killed process leaves: thrown at one step, before or after its work. */
export class Killed extends Error {}

/** A gateway or signer that dies at one step, `count` times; what it did before remains. */
export function dying<T extends object>(target: T, method: keyof T & string, moment: 'before' | 'after', count = 1): T {
  let left = count;
  return new Proxy(target, {
    get(own, name) {
      const value: unknown = Reflect.get(own, name);
      if (name !== method || typeof value !== 'function') return value;
      return async (...args: unknown[]) => {
        left -= 1;
        if (left < 0) return value.apply(own, args) as unknown;
        if (moment === 'after') await value.apply(own, args);
        throw new Killed(`${method} ${moment}`);
      };
    },
  });
}
