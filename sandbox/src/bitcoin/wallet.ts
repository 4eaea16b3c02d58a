import { hex } from '@scure/base';
import { Transaction as Draft, p2wpkh } from '@scure/btc-signer';
import { pubECDSA, sha256 } from '@scure/btc-signer/utils.js';
import { satoshisOf } from './amounts.ts';
import type { BitcoinEngine } from './bitcoin-engine.ts';
import { addressOf, dustThreshold, REGTEST, scriptOf } from './outputs.ts';
import { Rejection } from './rejection.ts';
import { type Outpoint, readTransaction, type Transaction } from './transaction.ts';

export interface PaymentOptions {
  /** Satoshis per virtual byte. */
  feeRate: number;
  isReplaceable: boolean;
}

export interface Payee {
  address: string;
  /** Whole coins, a plain decimal string. */
  amount: string;
}

/** A holder of coins outside of Causeway: the other side of every deposit. */
export interface Wallet {
  address: string;
  script: string;
  /** Without payees it pays to itself. */
  pay(payees: readonly Payee[], options: PaymentOptions): Transaction;
  /** A waiting payment of this wallet again, with the same inputs, all of its outputs to one address (the wallet's own without one). */
  redirect(txid: string, feeRate: number, address?: string): Transaction;
}

interface Spendable extends Outpoint {
  value: number;
}

const FINAL = 0xffffffff;
const REPLACEABLE = 0xfffffffd;
const COINBASE_MATURITY = 100;
/** Of P2WPKH: what a transaction has anyway, an input and an output, in virtual bytes. */
const BASE_VSIZE = 10.5;
const INPUT_VSIZE = 68;
const OUTPUT_VSIZE = 31;
/** Longer rows of waiting transactions are refused by the mempool. */
const LONGEST_ROW = 20;

/** The key follows from a name; it is public knowledge and holds nothing of value anywhere. */
export function openWallet(name: string, engine: () => BitcoinEngine): Wallet {
  const key = sha256(new TextEncoder().encode(`causeway sandbox ${name}`));
  const { script: bytes } = p2wpkh(pubECDSA(key), REGTEST);
  const script = hex.encode(bytes);
  const address = addressOf(script) ?? '';

  /** What may be spent: confirmed outputs first, the largest of them first, then its own change that waits. */
  function spendable(): Spendable[] {
    const { chain, pool } = engine();
    const next = chain.tip().height + 1;
    const confirmed = [...chain.coins()].filter(
      (coin) =>
        coin.script === script &&
        (!coin.isCoinbase || next - coin.height >= COINBASE_MATURITY) &&
        pool.spender(coin) === undefined,
    );
    const waiting = pool.entries().flatMap(({ transaction }) =>
      pool.ancestors(transaction).length >= LONGEST_ROW
        ? []
        : transaction.outputs.flatMap((output, vout) => {
            const outpoint = { txid: transaction.txid, vout };
            const isOwn = output.script === script && pool.spender(outpoint) === undefined;
            return isOwn ? [{ ...outpoint, value: output.value }] : [];
          }),
    );
    return [...confirmed.sort((a, b) => b.value - a.value), ...waiting.sort((a, b) => b.value - a.value)];
  }

  function sign(
    inputs: readonly Spendable[],
    outputs: readonly { script: string; value: number }[],
    sequence: number,
  ): Transaction {
    const draft = new Draft({ allowUnknownOutputs: true });
    for (const { txid, vout, value } of inputs) {
      draft.addInput({ txid, index: vout, sequence, witnessUtxo: { script: bytes, amount: BigInt(value) } });
    }
    for (const output of outputs) draft.addOutput({ script: hex.decode(output.script), amount: BigInt(output.value) });
    draft.sign(key);
    draft.finalize();
    const signed = readTransaction(draft.hex);
    if (signed === null) throw new Error('the signed payment cannot be read');
    return signed;
  }

  function vsizeOf(inputs: number, scripts: readonly string[]): number {
    const outputs = scripts.reduce((total, output) => total + 9 + output.length / 2, 0);
    return Math.ceil(BASE_VSIZE + inputs * INPUT_VSIZE + outputs);
  }

  return {
    address,
    script,
    pay(payees, { feeRate, isReplaceable }) {
      const outputs = payees.map(toOutput);
      const wanted = outputs.reduce((total, { value }) => total + value, 0);
      const inputs: Spendable[] = [];
      let held = 0;
      for (const candidate of spendable()) {
        inputs.push(candidate);
        held += candidate.value;
        const scripts = outputs.map((output) => output.script);
        const fee = Math.ceil(vsizeOf(inputs.length, scripts) * feeRate);
        if (held < wanted + fee) continue;
        const change = held - wanted - fee - Math.ceil(OUTPUT_VSIZE * feeRate);
        const all = change > dustThreshold(script) ? [...outputs, { script, value: change }] : outputs;
        return sign(inputs, all, isReplaceable ? REPLACEABLE : FINAL);
      }
      throw new Rejection(`the ${name} has less than that in outputs which can be spent now`);
    },
    redirect(txid, feeRate, to = address) {
      const { chain, pool } = engine();
      const entry = pool.get(txid);
      if (entry === undefined) throw new Rejection('no transaction with this id waits for a block');
      const inputs = entry.transaction.inputs.map((input) => {
        const output = chain.coin(input) ?? pool.get(input.txid)?.transaction.outputs[input.vout];
        if (output?.script !== script) throw new Rejection(`the ${name} did not make this payment`);
        return { txid: input.txid, vout: input.vout, value: output.value };
      });
      const target = scriptOf(to);
      if (target === null) throw new Rejection('not an address of this chain');
      const held = inputs.reduce((total, { value }) => total + value, 0);
      const fee = Math.ceil(vsizeOf(inputs.length, [target]) * feeRate);
      return sign(inputs, [{ script: target, value: held - fee }], REPLACEABLE);
    },
  };
}

function toOutput({ address, amount }: Payee): { script: string; value: number } {
  const script = scriptOf(address);
  const value = satoshisOf(amount);
  if (script === null) throw new Rejection(`${address} is no address of this chain`);
  if (value === null || value === 0) throw new Rejection(`${amount} is no amount of bitcoin`);
  return { script, value };
}
