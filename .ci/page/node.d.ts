// What the unit tests use of Node. Its own types would give the page's code the globals that Node has and browsers lack.

declare module "node:test" {
  type Run = () => unknown;
  export function test(name: string, run: Run): Promise<void>;
  export function beforeEach(run: Run): void;
  export function afterEach(run: Run): void;
  export const mock: {
    timers: { enable: (of: { apis: string[] }) => void; tick: (milliseconds: number) => void; reset: () => void };
  };
}

declare module "node:assert/strict" {
  export function ok(value: unknown, message?: string): asserts value;
  export function equal(actual: unknown, expected: unknown, message?: string): void;
  export function notEqual(actual: unknown, expected: unknown, message?: string): void;
  export function deepEqual(actual: unknown, expected: unknown, message?: string): void;
  export function throws(run: () => unknown): void;
}

declare module "node:module" {
  export function register(module: string): void;
}
