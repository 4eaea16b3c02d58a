/** The parts of bcoin 1.0.2 that the sandbox uses; the package has no types of its own. */

declare module 'bcoin/lib/primitives/tx.js' {
  interface Script {
    toRaw(): Buffer;
    toASM(): string;
  }
  interface Outpoint {
    rhash(): string;
    index: number;
  }
  interface Output {
    value: number;
    script: Script;
  }
  class TX {
    static fromRaw(data: Buffer): TX;
    version: number;
    locktime: number;
    inputs: { prevout: Outpoint; script: Script; witness: { items: Buffer[] }; sequence: number }[];
    outputs: Output[];
    toRaw(): Buffer;
    txid(): string;
    wtxid(): string;
    getSize(): number;
    getBaseSize(): number;
    getVirtualSize(): number;
    getWeight(): number;
    isCoinbase(): boolean;
    checkSanity(): [boolean, string, number];
    hasStandardWitness(view: unknown): boolean;
    isFinal(height: number, time: number): boolean;
    /** Throws an error of type ScriptError with a code, such as EVAL_FALSE. */
    check(view: unknown, flags: number): void;
    getSigopsCost(view: unknown, flags: number): number;
  }

  export type { Outpoint, Output, Script };
  export default TX;
}

declare module 'bcoin/lib/primitives/block.js' {
  import type TX from 'bcoin/lib/primitives/tx.js';

  export default class Block {
    static fromRaw(data: Buffer): Block;
    version: number;
    merkleRoot: string;
    time: number;
    bits: number;
    nonce: number;
    txs: TX[];
    toRaw(): Buffer;
    rhash(): string;
    getSize(): number;
    getBaseSize(): number;
    getWeight(): number;
    verifyBody(): boolean;
    verifyPOW(): boolean;
    getCommitmentHash(encoding: 'hex'): string | null;
    createCommitmentHash(encoding: 'hex'): string;
    getCoinbaseHeight(): number;
  }
}

declare module 'bcoin/lib/coins/coinview.js' {
  import type { Outpoint, Output } from 'bcoin/lib/primitives/tx.js';

  export default class CoinView {
    addOutput(prevout: Outpoint, output: Output): unknown;
  }
}

declare module 'bcoin/lib/script/script.js' {
  import type { Script as Parsed } from 'bcoin/lib/primitives/tx.js';

  const Script: {
    fromRaw(data: Buffer): Parsed;
    flags: { MANDATORY_VERIFY_FLAGS: number; STANDARD_VERIFY_FLAGS: number };
  };
  export default Script;
}

declare module 'bcoin/lib/protocol/network.js' {
  const Network: { get(type: 'regtest'): { genesisBlock: string } };
  export default Network;
}

declare module 'bcrypto/lib/secp256k1.js' {
  const secp256k1: { verify: (message: Buffer, compactSignature: Buffer, publicKey: Buffer) => boolean };
  export default secp256k1;
}
