// What the unit tests use of Node. Its own types would give the page's code the globals that Node has and browsers lack.

declare module "node:test" {
  export function test(name: string, run: () => void | Promise<void>): Promise<void>;
}

declare module "node:assert/strict" {
  const assert: {
    ok(value: unknown, message?: string): asserts value;
    equal(actual: unknown, expected: unknown, message?: string): void;
    notEqual(actual: unknown, expected: unknown, message?: string): void;
    deepEqual(actual: unknown, expected: unknown, message?: string): void;
  };
  export default assert;
}

declare module "node:module" {
  export function register(module: string): void;
}
