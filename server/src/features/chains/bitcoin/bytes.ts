import { createHash, hash } from 'node:crypto';

/** Bytes as Bitcoin writes them (its developer reference, "Serialization"). */

/** Bytes that are no block or transaction, or not those that were asked for. */
export class MalformedBytes extends Error {}

/** Reads forward. @throws MalformedBytes beyond the end */
export class Reader {
  readonly bytes: Buffer;
  offset = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd(): boolean {
    return this.offset === this.bytes.length;
  }

  /** A view of the next bytes, not a copy. */
  take(length: number): Buffer {
    const end = this.offset + length;
    if (end > this.bytes.length) throw new MalformedBytes('the bytes end too early');
    const taken = this.bytes.subarray(this.offset, end);
    this.offset = end;
    return taken;
  }

  uint8(): number {
    return this.take(1).readUInt8(0);
  }

  uint32(): number {
    return this.take(4).readUInt32LE(0);
  }

  uint64(): bigint {
    return this.take(8).readBigUInt64LE(0);
  }

  /** The number of the things that follow. Each takes a byte at least, so that a larger number than the remaining bytes is refused. */
  count(): number {
    const first = this.uint8();
    const value =
      first < 0xfd
        ? BigInt(first)
        : first === 0xfd
          ? BigInt(this.take(2).readUInt16LE(0))
          : first === 0xfe
            ? BigInt(this.uint32())
            : this.uint64();
    if (value > BigInt(this.bytes.length - this.offset))
      throw new MalformedBytes('a count beyond the end of the bytes');
    return Number(value);
  }

  /** Bytes after their own length. */
  sized(): Buffer {
    return this.take(this.count());
  }
}

/** Writes one after the other. */
export class Writer {
  private readonly parts: Uint8Array[] = [];

  bytes(bytes: Uint8Array): this {
    this.parts.push(bytes);
    return this;
  }

  uint32(value: number): this {
    const bytes = Buffer.allocUnsafe(4);
    bytes.writeUInt32LE(value);
    return this.bytes(bytes);
  }

  uint64(value: bigint): this {
    const bytes = Buffer.allocUnsafe(8);
    bytes.writeBigUInt64LE(value);
    return this.bytes(bytes);
  }

  /** The number of the things that follow, at most 65,535. */
  count(value: number): this {
    if (value < 0xfd) return this.bytes(Uint8Array.of(value));
    const bytes = Buffer.allocUnsafe(3);
    bytes.writeUInt8(0xfd);
    bytes.writeUInt16LE(value, 1);
    return this.bytes(bytes);
  }

  /** Bytes after their own length. */
  sized(bytes: Uint8Array): this {
    const { length } = bytes;
    if (length <= 0xffff) return this.count(length).bytes(bytes);
    return this.bytes(Uint8Array.of(0xfe)).uint32(length).bytes(bytes);
  }

  written(): Uint8Array {
    return Buffer.concat(this.parts);
  }
}

/** Twice SHA-256 of parts, one after the other. */
export function doubleHash(...parts: readonly Uint8Array[]): Buffer {
  const first = createHash('sha256');
  for (const part of parts) first.update(part);
  return hash('sha256', first.digest(), 'buffer');
}

/** RIPEMD-160 of SHA-256. */
export function keyHash(publicKey: Uint8Array): Buffer {
  return hash('ripemd160', hash('sha256', publicKey, 'buffer'), 'buffer');
}

/** A hash as explorers show it: its bytes in reverse. */
export function hashText(bytes: Uint8Array): string {
  return Buffer.from(bytes).reverse().toString('hex');
}

/** The root of a Merkle tree over hashes; an odd one is paired with itself. */
export function merkleRoot(leaves: readonly Buffer[]): Buffer {
  let level = leaves;
  while (level.length > 1) {
    const above: Buffer[] = [];
    for (let index = 0; index < level.length; index += 2) {
      const left = level[index] as Buffer;
      above.push(doubleHash(left, level[index + 1] ?? left));
    }
    level = above;
  }
  return level[0] ?? Buffer.alloc(32);
}

/** The bytes of a hexadecimal text. @throws MalformedBytes */
export function bytesOf(hex: string): Buffer {
  const bytes = Buffer.from(hex, 'hex');
  if (bytes.length * 2 !== hex.length) throw new MalformedBytes('not hexadecimal');
  return bytes;
}
