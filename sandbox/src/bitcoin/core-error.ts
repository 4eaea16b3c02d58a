/** A call that Bitcoin Core refuses, with its code (src/rpc/protocol.h) and its words. */
export class CoreError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'CoreError';
    this.code = code;
  }
}

export const CORE_CODES = {
  misc: -1,
  type: -3,
  notFound: -5,
  parameter: -8,
  decoding: -22,
  warmingUp: -28,
  invalidRequest: -32600,
  unknownMethod: -32601,
  internal: -32603,
  parse: -32700,
} as const;
