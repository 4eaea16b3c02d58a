import type { Call } from '@causeway/contract/call.ts';

/** In types only: which call of the contract a light call stands for. */
declare const contract: unique symbol;

/**
 * What of a call is needed to send it, without the schemas of what it takes and answers: the modules `virtual:calls/…`
 * offer every call of the contract so (`vite/calls.ts`). Its type remembers the whole call, and with it input and output.
 */
export interface LightCall<C extends Call = Call>
  extends Pick<Call, 'name' | 'method' | 'path' | 'access' | 'movesMoney' | 'answer' | 'upload'> {
  readonly [contract]: C;
}

/** The whole call that a light one stands for. */
export type ContractOf<L extends LightCall> = L extends LightCall<infer C> ? C : never;

/** The calls among a module's exports, made light. */
export type LightCalls<Module> = {
  readonly [Name in keyof Module as Module[Name] extends Call ? Name : never]: Module[Name] extends Call
    ? LightCall<Module[Name]>
    : never;
};
