import { base64 } from '@scure/base';
import { p2wpkh } from '@scure/btc-signer';
import { RawPSBTV0 } from '@scure/btc-signer/psbt.js';
import { pubECDSA } from '@scure/btc-signer/utils.js';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { PaymentRequest } from '../../features/chains/index.ts';
import * as asked from '../asked-signer.ts';
import {
  type BitcoinCoin,
  type BitcoinCompany,
  type BitcoinOutput,
  type BitcoinSignerWorld,
  newBitcoinCoin,
} from './signer-world.ts';

/** Authorised payments on a Bitcoin chain, their honest requests, and what can be forged of them. */

export const keyOf = (byte: number) => pubECDSA(new Uint8Array(32).fill(byte));
export const network = { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef };
const addressOf = (byte: number) => p2wpkh(keyOf(byte), network).address ?? '';
export const scriptOf = (byte: number) => p2wpkh(keyOf(byte)).script;
export const payee = addressOf(1);
export const thief = addressOf(2);
export const due = 70_000n;
const fee = 1_000n;

export type Raw = ReturnType<typeof RawPSBTV0.decode>;

export const psbtOf = (request: PaymentRequest): Raw => RawPSBTV0.decode(base64.decode(String(request.plan['psbt'])));

/** The request with its PSBT changed in the way that is given. */
export function altered(request: PaymentRequest, change: (psbt: Raw) => void): PaymentRequest {
  const psbt = psbtOf(request);
  change(psbt);
  const bytes = RawPSBTV0.encode(psbt as Parameters<typeof RawPSBTV0.encode>[0]);
  return { ...request, plan: { psbt: base64.encode(bytes) } };
}

type Derivation = [Uint8Array, { fingerprint: number; path: number[] }];

/** The transaction, an input's and the change's fields of a PSBT, of which the library's types say little. */
export const partsOf = (psbt: Raw) => ({
  transaction: psbt.global.unsignedTx as unknown as {
    version: number;
    lockTime: number;
    inputs: { txid: Uint8Array; index: number; sequence: number; finalScriptSig: Uint8Array }[];
    outputs: { amount: bigint; script: Uint8Array }[];
  },
  input: psbt.inputs[0] as unknown as Record<string, unknown> & {
    witnessUtxo: { amount: bigint; script: Uint8Array };
    bip32Derivation: Derivation[];
  },
  change: psbt.outputs[1] as unknown as { bip32Derivation?: Derivation[] },
});

export const own = (of: BitcoinCompany, ordinal: number) => ({ address: of.addresses[ordinal] ?? '', ordinal });
export const pays = (address = payee, amountMinor = due): BitcoinOutput => ({ address, amountMinor, ordinal: null });
/** Change of a company, to one of its addresses. */
export const back = (of: BitcoinCompany, amountMinor = 90_000n - due - fee, place = 0): BitcoinOutput => ({
  ...(of.change[place] ?? { address: '', ordinal: 0 }),
  amountMinor,
});

interface Authorised {
  transferId: string;
  inputs: BitcoinCoin[];
  request: PaymentRequest;
}

export function payments(world: BitcoinSignerWorld, company: BitcoinCompany) {
  const twoCoins = () => [newBitcoinCoin(own(company, 0), 50_000n), newBitcoinCoin(own(company, 3), 40_000n)];

  /** A payment that was authorised, and the honest request for it. */
  async function authorised(inputs = twoCoins(), outputs = [pays(), back(company)], to = payee): Promise<Authorised> {
    const transferId = await world.transfer(company, to, due);
    return { transferId, inputs, request: world.request(company, transferId, inputs, outputs) };
  }

  async function rows(transferId: string): Promise<{ kind: string; plan: Record<string, unknown>; txHash: string }[]> {
    const found = await world.db.operator.withoutCompany((tx) =>
      sql<{ kind: string; plan: Record<string, unknown>; txHash: string }>`
        select kind, plan, tx_hash as "txHash" from signer_journal where transfer_id = ${transferId} order by seq`.execute(
        tx,
      ),
    );
    return found.rows;
  }

  /** The signer refuses a request, and neither the journal nor its copy has anything of it. */
  async function expectRefused(request: PaymentRequest, refusal: string): Promise<void> {
    const before = asked.journalEntries(world).length;
    expect(await world.sign(request)).toEqual({ signed: false, refusal, journaled: false });
    expect(asked.journalEntries(world)).toHaveLength(before);
    expect(await rows(request.transferId)).toEqual([]);
  }

  return { twoCoins, authorised, rows, expectRefused };
}
