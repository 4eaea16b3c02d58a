import { addressOf, scriptOf } from './outputs.ts';

/** Output descriptors as far as a node without a wallet has them: `addr(…)` and `raw(…)`, with their checksum (BIP 380). */

const INPUT = '0123456789()[],\'/*abcdefgh@:$%{}IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~ijklmnopqrstuvwxyzABCDEFGH`#"\\ ';
const OUTPUT = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATOR = [0xf5dee51989n, 0xa9fdca3312n, 0x1bab10e32dn, 0x3706b1677an, 0x644d626ffdn] as const;

export function descriptorOf(script: string): string {
  const address = addressOf(script);
  return withChecksum(address === null ? `raw(${script})` : `addr(${address})`);
}

/** The script that a descriptor names; null for every other kind. Its checksum may be left out. */
export function scriptOfDescriptor(descriptor: string): string | null {
  const [body = '', checksum] = descriptor.split('#');
  if (checksum !== undefined && withChecksum(body) !== descriptor) return null;
  const [, kind, inner = ''] = /^(addr|raw)\(([^()]*)\)$/.exec(body) ?? [];
  if (kind === 'addr') return scriptOf(inner);
  return kind === 'raw' && /^([0-9a-f]{2})+$/i.test(inner) ? inner.toLowerCase() : null;
}

function withChecksum(body: string): string {
  let state = 1n;
  let group = 0;
  let collected = 0;
  const feed = (value: number): void => {
    const top = state >> 35n;
    state = ((state & 0x7ffffffffn) << 5n) ^ BigInt(value);
    for (const [bit, generator] of GENERATOR.entries()) if ((top >> BigInt(bit)) & 1n) state ^= generator;
  };
  for (const letter of body) {
    const position = INPUT.indexOf(letter);
    feed(position & 31);
    group = group * 3 + (position >> 5);
    collected += 1;
    if (collected < 3) continue;
    feed(group);
    group = 0;
    collected = 0;
  }
  if (collected > 0) feed(group);
  for (let step = 0; step < 8; step += 1) feed(0);
  state ^= 1n;
  const digits = Array.from(
    { length: 8 },
    (_, index) => OUTPUT[Number((state >> BigInt(5 * (7 - index))) & 31n)] ?? '',
  );
  return `${body}#${digits.join('')}`;
}
