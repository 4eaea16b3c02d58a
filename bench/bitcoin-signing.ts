import { createHash } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { companyAccountPath, extendedKeyOf } from '../server/src/features/chains/bitcoin/derivation.ts';
import {
  accountOf,
  bitcoinAddresses,
  bitcoinSigningPlanOf,
  changeOrdinal,
  createBitcoinSigner,
  mostInputs,
  transferKind,
} from '../server/src/features/chains/index.ts';

/**
 * `node bench/bitcoin-signing.ts worker|signer`: the largest transaction that nodes forward, each input from an address of its own, as the worker asks for it
 * or as the signer signs it, in a process of its own. Prints the processor time in milliseconds and the peak of memory in megabytes as JSON.
 */

const network = 'regtest';
const chain = { id: 'bitcoin', nativeCoin: 'BTC' };
const companyIndex = 7;
const count = Number(process.argv[3] ?? mostInputs(['p2wpkh', 'p2wpkh']));
const valueMinor = 20_000n;
const feeMinor = 1_500_000n;
const hash = (text: string) => createHash('sha256').update(text).digest('hex');

const seed = HDKey.fromMasterSeed(Buffer.alloc(32, 7));
const derive = (path: string) => seed.derive(path);
const xpub = extendedKeyOf(derive(companyAccountPath(network)), network);
const source = bitcoinAddresses({ xpub, treasury: null, network });
const inputs = Array.from({ length: count }, (_, ordinal) => {
  return { hash: hash(`coin ${ordinal}`), index: ordinal % 3, amountMinor: valueMinor, ordinal };
}).map((input) => ({ ...input, address: source.addressAt(companyIndex, input.ordinal) }));
const change = { address: source.addressAt(companyIndex, changeOrdinal(0)), ordinal: changeOrdinal(0) };
const payee = source.addressAt(companyIndex + 1, 0);
const amountMinor = (BigInt(count) * valueMinor) / 2n;
const outputs = [
  { address: payee, amountMinor, ordinal: null },
  { ...change, amountMinor: BigInt(count) * valueMinor - amountMinor - feeMinor },
];
const account = accountOf(xpub, network);
const ask = () => bitcoinSigningPlanOf({ companyIndex, inputs, outputs }, { account, network });

async function sign(plan: { psbt: string }): Promise<{ raw: string; hash: string }> {
  const limits = { maxFeeRate: 500, maxFeePercent: 50, smallFeeMinor: 50_000n, maxAccelerationsPerHour: 1 };
  const signer = createBitcoinSigner({
    derive,
    network,
    chains: [chain],
    limits: { ...limits, treasuryPerDay: new Map() },
  });
  const parsed = signer.plans.get(transferKind)?.parse(plan);
  if (!parsed) throw new Error('a transfer has a plan');
  const own = [...inputs, change].map(({ address, ordinal }) => ({ address, derivationIndex: companyIndex, ordinal }));
  if (!own.every((address) => signer.derives(address))) throw new Error('the addresses are those of the seed');
  const ids = { family: 'bitcoin', companyId: 'c', transferId: 't', paymentId: 't', kind: transferKind };
  const payment = { ...ids, chainId: chain.id, toAddress: payee, coin: 'BTC', amountMinor };
  const record = { payer: 'company', addresses: own };
  const intent = signer.intentOf(payment as never, parsed, record as never);
  signer.limit(intent, { isKnown: false, countSince: () => 0, treasuryPaidSince: () => 0n });
  return signer.sign(intent);
}

const part = process.argv[2];
const plan = part === 'signer' ? ask() : null;
const before = process.cpuUsage();
const bytes = plan ? (await sign(plan)).raw.length / 2 : ask().psbt.length;
const { user, system } = process.cpuUsage(before);
const { maxRSS } = process.resourceUsage();
process.stdout.write(
  `${JSON.stringify({ inputs: count, milliseconds: (user + system) / 1000, megabytes: maxRSS / 1024, bytes })}\n`,
);
