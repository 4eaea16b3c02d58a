import type { Call } from '@causeway/contract/call.ts';

/** In types only: which call of the contract a light call was made of. */
declare const contract: unique symbol;

/**
 * What of a call is needed to send it, without the schemas of its input and output: the modules `virtual:calls/…`
 * offer every call of the contract so (`vite/calls.ts`). Its type remembers the whole call, and with it input and output.
 */
export interface LightCall<C extends Call = Call>
  extends Pick<Call, 'name' | 'method' | 'path' | 'access' | 'movesMoney' | 'answer' | 'upload'> {
  /** Of a list: what its filters may be. */
  readonly query?: LightQuery;
  readonly [contract]: C;
}

/** What a list's query takes, by name, the page's size left out. */
export type LightQuery = Readonly<Record<string, LightField>>;

/** What a text of a query may be: a pattern that it must have, a length that it must not pass, an instant. */
export interface LightField {
  readonly pattern?: string;
  readonly max?: number;
  readonly instant?: true;
}

/** The whole call that a light one was made of. */
export type ContractOf<L extends LightCall> = L extends LightCall<infer C> ? C : never;

/** The calls among a module's exports, made light. */
export type LightCalls<Module> = {
  readonly [Name in keyof Module as Module[Name] extends Call ? Name : never]: Module[Name] extends Call
    ? LightCall<Module[Name]>
    : never;
};
