import type { BitcoinEngine } from './bitcoin-engine.ts';
import type { Block } from './block.ts';
import { CORE_CODES, CoreError } from './core-error.ts';
import {
  blockShape,
  chainWork,
  coins,
  confirmations,
  difficulty,
  feeRate,
  feeShape,
  feesOf,
  headerBytes,
  headerShape,
  poolEntryShape,
  scriptShape,
  transactionShape,
  type View,
  vsizeOf,
} from './core-shapes.ts';
import { descriptorOf, scriptOfDescriptor } from './descriptors.ts';
import type { PoolEntry } from './mempool.ts';
import { Rejection } from './rejection.ts';
import { type Outpoint, readTransaction, type Transaction } from './transaction.ts';

/** The calls of Bitcoin Core's RPC that the nodes serve, without its wallet and without its test controls. */

type Call = (context: { view: View; engine: BitcoinEngine }, parameters: readonly unknown[]) => unknown;

const RELAY_RATE = 1;
const DEFAULT_HIGHEST_RATE = 0.1;
const FURTHEST_TARGET = 1008;
const { misc, type: wrongType, notFound, parameter, decoding, unknownMethod } = CORE_CODES;

const CALLS: Readonly<Record<string, Call>> = {
  getbestblockhash: ({ view }) => view.chain.tip().hash,
  getblock: ({ view }, [hash, verbosity = 1]) => {
    const block = blockOf(view, hash, 'blockhash');
    const level = typeof verbosity === 'boolean' ? Number(verbosity) : integer(verbosity, 'verbosity');
    return level <= 0 ? block.raw : blockShape(view, block, level);
  },
  getblockchaininfo: ({ view: { chain } }) => {
    const { height, hash, time } = chain.tip();
    return {
      chain: 'regtest',
      blocks: height,
      headers: height,
      bestblockhash: hash,
      difficulty: difficulty(),
      time,
      mediantime: chain.medianTime(height),
      verificationprogress: 1,
      initialblockdownload: false,
      chainwork: chainWork(height),
      size_on_disk: 0,
      pruned: false,
      warnings: [],
    };
  },
  getblockcount: ({ view }) => view.chain.tip().height,
  getblockhash: ({ view }, [height]) => {
    const block = view.chain.at(integer(height, 'height'));
    if (block === undefined) throw new CoreError(parameter, 'Block height out of range');
    return block.hash;
  },
  getblockheader: ({ view }, [hash, isVerbose = true]) => {
    const block = blockOf(view, hash, 'blockhash');
    return isVerbose === false ? headerBytes(block) : headerShape(view.chain, block);
  },
  getindexinfo: ({ view }) => ({ txindex: { synced: true, best_block_height: view.chain.tip().height } }),
  getmempoolentry: ({ view }, [txid]) => poolEntryShape(view, poolEntryOf(view, txid)),
  getmempoolinfo: ({ view, engine }) => {
    const entries = view.pool.entries();
    return {
      loaded: true,
      size: entries.length,
      bytes: vsizeOf(entries),
      usage: vsizeOf(entries) * 3,
      total_fee: coins(feesOf(entries)),
      maxmempool: 300_000_000,
      mempoolminfee: feeRate(Math.max(RELAY_RATE, engine.market().mempoolRate)),
      minrelaytxfee: feeRate(RELAY_RATE),
      incrementalrelayfee: feeRate(RELAY_RATE),
      unbroadcastcount: 0,
      fullrbf: false,
    };
  },
  getnetworkinfo: () => ({
    version: 280_000,
    subversion: '/Satoshi:28.0.0(Causeway sandbox)/',
    protocolversion: 70_016,
    localservices: '0000000000000409',
    localservicesnames: ['NETWORK', 'WITNESS', 'NETWORK_LIMITED'],
    localrelay: true,
    timeoffset: 0,
    networkactive: true,
    connections: 1,
    connections_in: 0,
    connections_out: 1,
    networks: [],
    relayfee: feeRate(RELAY_RATE),
    incrementalfee: feeRate(RELAY_RATE),
    localaddresses: [],
    warnings: [],
  }),
  getrawmempool: ({ view }, [isVerbose = false]) => {
    const entries = view.pool.entries();
    if (isVerbose === false) return entries.map(({ transaction }) => transaction.txid);
    return Object.fromEntries(entries.map((entry) => [entry.transaction.txid, poolEntryShape(view, entry)]));
  },
  getrawtransaction: ({ view }, [txid, verbosity = 0, blockHash]) => rawTransaction(view, txid, verbosity, blockHash),
  gettxout: ({ view: { chain, pool } }, [txid, n, hasMempool = true]) => {
    const outpoint = { txid: hash(txid, 'txid'), vout: integer(n, 'n') };
    const { hash: bestblock, height } = chain.tip();
    const coin = chain.coin(outpoint);
    const waiting = hasMempool === false ? undefined : pool.get(outpoint.txid)?.transaction.outputs[outpoint.vout];
    const output = coin ?? waiting;
    if (output === undefined || (hasMempool !== false && pool.spender(outpoint) !== undefined)) return null;
    return {
      bestblock,
      confirmations: coin === undefined ? 0 : height - coin.height + 1,
      value: coins(output.value),
      scriptPubKey: scriptShape(output.script),
      coinbase: coin?.isCoinbase ?? false,
    };
  },
  gettxspendingprevout: ({ view: { pool } }, [outputs]) => {
    if (!Array.isArray(outputs) || outputs.length === 0) {
      throw new CoreError(parameter, 'Invalid parameter, outputs are missing');
    }
    return outputs.map(toOutpoint).map((outpoint) => {
      const spender = pool.spender(outpoint);
      return { ...outpoint, ...(spender === undefined ? {} : { spendingtxid: spender.txid }) };
    });
  },
  estimatesmartfee: ({ engine }, [target]) => {
    const wanted = integer(target, 'conf_target');
    if (wanted < 1 || wanted > FURTHEST_TARGET) {
      throw new CoreError(parameter, `Invalid conf_target, must be between 1 and ${FURTHEST_TARGET}`);
    }
    const { estimates, mempoolRate } = engine.market();
    const blocks = Math.max(2, wanted);
    if (estimates === null) return { errors: ['Insufficient data or no feerate found'], blocks };
    const rate = wanted < 6 ? estimates[1] : wanted < 144 ? estimates[6] : estimates[144];
    return { feerate: feeRate(Math.max(rate, mempoolRate)), blocks };
  },
  scantxoutset: ({ view }, [action, objects]) => scan(view, action, objects),
  sendrawtransaction: ({ engine }, [hexadecimal, highestRate = DEFAULT_HIGHEST_RATE]) => {
    const transaction = decoded(hexadecimal);
    const { txid, outputs } = transaction;
    if (outputs.some((_, vout) => engine.chain.coin({ txid, vout }) !== undefined)) {
      throw new CoreError(-27, 'Transaction outputs already in utxo set');
    }
    // Sent again, it is relayed again.
    if (engine.pool.get(txid) !== undefined) return txid;
    try {
      const admission = engine.consider(transaction);
      if (isTooDear(admission.entry, highestRate)) {
        throw new CoreError(-25, 'Fee exceeds maximum configured by user (e.g. -maxtxfee, maxfeerate)');
      }
      engine.accept(admission);
      return txid;
    } catch (error) {
      if (error instanceof Rejection) throw new CoreError(error.code, error.message);
      throw error;
    }
  },
  testmempoolaccept: ({ engine }, [raws, highestRate = DEFAULT_HIGHEST_RATE]) => {
    if (!Array.isArray(raws) || raws.length === 0 || raws.length > 25) {
      throw new CoreError(parameter, 'Array must contain between 1 and 25 transactions.');
    }
    return raws.map(decoded).map((transaction) => verdict(engine, transaction, highestRate));
  },
};

/** Serves one call. @throws CoreError */
export function callCore(view: View, engine: BitcoinEngine, method: string, parameters: readonly unknown[]): unknown {
  const call = CALLS[method];
  if (call === undefined) throw new CoreError(unknownMethod, 'Method not found');
  return call({ view, engine }, parameters);
}

function rawTransaction(view: View, txid: unknown, verbosity: unknown, blockHash: unknown): unknown {
  const { chain, pool } = view;
  const id = hash(txid, 'txid');
  const level = typeof verbosity === 'boolean' ? Number(verbosity) : integer(verbosity, 'verbosity');
  const named = blockHash === undefined || blockHash === null ? undefined : blockOf(view, blockHash, 'blockhash');
  const confirmed = chain.transaction(id);
  const transaction =
    named === undefined
      ? (confirmed?.transaction ?? pool.get(id)?.transaction)
      : named.transactions.find((candidate) => candidate.txid === id);
  if (transaction === undefined) {
    const where =
      named === undefined
        ? 'No such mempool or blockchain transaction'
        : 'No such transaction found in the provided block';
    throw new CoreError(notFound, `${where}. Use gettransaction for wallet transactions.`);
  }
  if (level <= 0) return transaction.raw;
  const block = named ?? confirmed?.block;
  return {
    ...(named === undefined ? {} : { in_active_chain: chain.isActive(named) }),
    ...transactionShape(view, transaction, level >= 2),
    ...(level >= 2 ? feeShape(view, transaction) : {}),
    hex: transaction.raw,
    ...(block !== undefined && {
      blockhash: block.hash,
      // Of a block that was replaced: none.
      confirmations: Math.max(0, confirmations(chain, block)),
      time: block.time,
      blocktime: block.time,
    }),
  };
}

function scan({ chain }: View, action: unknown, objects: unknown): unknown {
  if (action !== 'start') throw new CoreError(parameter, `Invalid action '${String(action)}'`);
  if (!Array.isArray(objects)) throw new CoreError(misc, 'scanobjects argument is required for the start action');
  const scripts = new Set(objects.map(scannedScript));
  const { height, hash: bestblock } = chain.tip();
  const all = [...chain.coins()];
  const found = all.filter(({ script }) => scripts.has(script));
  return {
    success: true,
    txouts: all.length,
    height,
    bestblock,
    unspents: found.map((coin) => ({
      txid: coin.txid,
      vout: coin.vout,
      scriptPubKey: coin.script,
      desc: descriptorOf(coin.script),
      amount: coins(coin.value),
      coinbase: coin.isCoinbase,
      height: coin.height,
      blockhash: chain.at(coin.height)?.hash,
      confirmations: height - coin.height + 1,
    })),
    total_amount: coins(found.reduce((total, { value }) => total + value, 0)),
  };
}

function scannedScript(object: unknown): string {
  const descriptor = typeof object === 'object' && object !== null && 'desc' in object ? object.desc : object;
  const script = typeof descriptor === 'string' ? scriptOfDescriptor(descriptor) : null;
  if (script === null) throw new CoreError(notFound, `'${String(descriptor)}' is not a valid descriptor function`);
  return script;
}

function verdict(engine: BitcoinEngine, transaction: Transaction, highestRate: unknown): unknown {
  const { txid, wtxid, vsize } = transaction;
  try {
    const { entry } = engine.consider(transaction);
    if (isTooDear(entry, highestRate)) return { txid, wtxid, allowed: false, 'reject-reason': 'max-fee-exceeded' };
    const effective = { 'effective-feerate': feeRate(entry.fee / vsize), 'effective-includes': [wtxid] };
    return { txid, wtxid, allowed: true, vsize, fees: { base: coins(entry.fee), ...effective } };
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    const isMissing = error.code === -25;
    return {
      txid,
      wtxid,
      allowed: false,
      'reject-reason': isMissing ? 'missing-inputs' : error.reason,
      'reject-details': error.message,
    };
  }
}

/** Coins per 1,000 virtual bytes as a number or a text; 0 sets no limit. */
function isTooDear({ fee, transaction }: PoolEntry, highestRate: unknown): boolean {
  const highest = Number(highestRate);
  if (!(highest >= 0)) throw new CoreError(wrongType, 'Invalid amount');
  return highest > 0 && fee > Math.floor((transaction.vsize * highest * 100_000_000) / 1000);
}

function decoded(hexadecimal: unknown): Transaction {
  const transaction = typeof hexadecimal === 'string' ? readTransaction(hexadecimal) : null;
  if (transaction === null) {
    throw new CoreError(decoding, 'TX decode failed. Make sure the tx has at least one input.');
  }
  return transaction;
}

function blockOf({ chain }: View, value: unknown, name: string): Block {
  const block = chain.byHash(hash(value, name));
  if (block === undefined) throw new CoreError(notFound, 'Block not found');
  return block;
}

function poolEntryOf({ pool }: View, txid: unknown): PoolEntry {
  const entry = pool.get(hash(txid, 'txid'));
  if (entry === undefined) throw new CoreError(notFound, 'Transaction not in mempool');
  return entry;
}

function toOutpoint(value: unknown): Outpoint {
  if (typeof value !== 'object' || value === null || !('txid' in value) || !('vout' in value)) {
    throw new CoreError(wrongType, 'JSON value of an output is not as expected');
  }
  return { txid: hash(value.txid, 'txid'), vout: integer(value.vout, 'vout') };
}

function hash(value: unknown, name: string): string {
  if (typeof value !== 'string') throw new CoreError(wrongType, `JSON value of ${name} is not of expected type string`);
  if (value.length !== 64) {
    throw new CoreError(parameter, `${name} must be of length 64 (not ${value.length}, for '${value}')`);
  }
  if (!/^[0-9a-f]+$/i.test(value)) {
    throw new CoreError(parameter, `${name} must be hexadecimal string (not '${value}')`);
  }
  return value.toLowerCase();
}

function integer(value: unknown, name: string): number {
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  throw new CoreError(wrongType, `JSON value of ${name} is not of expected type number`);
}
