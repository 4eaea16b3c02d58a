import type { Tx } from '../../../platform/database/database.ts';
import { attemptsOf, deleteUnsigned, type Outpoint, outpointKey, type Send } from '../../chains/index.ts';
import type { RailFamily } from '../family.ts';
import { bookFinal, explainEach } from '../service/booking.ts';
import { departuresOf } from '../service/departures.ts';
import { endSettledHolds } from '../service/holds.ts';
import { resendLost } from '../service/resending.ts';
import { followAccelerations } from './accelerating.ts';
import { adoption } from './adopting.ts';
import { readDeparture, readLost } from './departures.ts';
import { sharedWith } from './joined.ts';
import { followLostCoins, giveUp } from './lost-coins.ts';
import { postNetworkFee } from './network-fees.ts';
import { leadOf, outpointsOf, paymentsOf, planOf, shareOf } from './plan.ts';
import { prepare } from './planning.ts';
import { readOutputs } from './reading.ts';
import { replace, replaceByEmpty, replaceRaised } from './replacing.ts';
import { resolve } from './resolving.ts';
import { type SigningKeys, signRequestOf } from './signing.ts';
import { chargeFee } from './speeding.ts';
import { setAlone } from './store/joined.ts';
import { findJournaledUse, releaseOutputs } from './store/outputs.ts';

/** Payments over Bitcoin's chains (docs/adr/0089): coins of several addresses of the company, change back to it, the fee out of both. */
export function createBitcoinRail(keys: SigningKeys): RailFamily {
  return {
    waits: true,
    prepare,
    signRequest: (send) => signRequestOf(send, keys),
    sharedWith,
    ownFee: (send, networkFeeMinor) => (planOf(send).joined === undefined ? networkFeeMinor : shareOf(send)),
    async takeBack(tx, send) {
      const shared = await sharedWith(tx, send);
      if (!(await deleteUnsigned(tx, send.paymentId, send.attempt))) return false;
      for (const { paymentId, attempt } of shared) await deleteUnsigned(tx, paymentId, attempt);
      // Earlier attempts still spend what they were given.
      if (send.attempt === 1) {
        await releaseOutputs(tx, leadOf(send));
        if (shared.length > 0) await setAlone(tx, paymentsOf(send));
      }
      return true;
    },
    takeBackLater,
    resolve,
    replace,
    replaceByEmpty,
    // A block has all outputs of a transaction or none.
    hasPaid: (_payment, receipt) => receipt.succeeded,
    chargeFee,
    onFinal: freeUnused,
    onGivenUp: giveUp,
    postNetworkFee,
    adoption,
    readDepartures: async (deps, seen) => [
      ...(await departuresOf(deps, seen, (departure) => readDeparture(deps, seen.chainId, departure))),
      ...(await readLost(deps, seen)),
    ],
    onRead: readOutputs,
    async onHead() {},
    async count() {},
    lookAfter: (deps, chainId, isRestoring) => [
      { what: 'explain', run: () => explainEach(deps, chainId, (row) => bookFinal(deps, row)) },
      { what: 'end holds', run: () => endSettledHolds(deps, chainId) },
      ...(isRestoring
        ? []
        : [
            { what: 'follow lost coins', run: () => followLostCoins(deps, chainId) },
            { what: 'resend', run: () => resendLost(deps, chainId) },
            { what: 'follow accelerations', run: () => followAccelerations(deps, chainId) },
            { what: 'replace raised', run: () => replaceRaised(deps, chainId) },
          ]),
    ],
  };
}

async function takeBackLater(tx: Tx, send: Send): Promise<void> {
  const { chainId, paymentId, attempt } = send;
  const earlier = (await attemptsOf(tx, paymentId)).filter((each) => each.attempt < attempt);
  const added = without(inputsOf([send]), inputsOf(earlier));
  if (earlier.length === 0 || added.length === 0) return;
  if ((await findJournaledUse(tx, chainId, added)).length > 0) return;
  const shared = await sharedWith(tx, send);
  if (!(await deleteUnsigned(tx, paymentId, attempt))) return;
  for (const one of shared) await deleteUnsigned(tx, one.paymentId, one.attempt);
  await releaseOutputs(tx, leadOf(send), added);
}

async function freeUnused(tx: Tx, send: Send): Promise<void> {
  const unused = without(inputsOf(await attemptsOf(tx, send.paymentId)), inputsOf([send]));
  if (unused.length > 0) await releaseOutputs(tx, leadOf(send), unused);
}

const inputsOf = (sends: readonly Send[]): Outpoint[] => sends.flatMap((send) => outpointsOf(planOf(send)));

function without(outpoints: readonly Outpoint[], others: readonly Outpoint[]): Outpoint[] {
  const keys = new Set(others.map(outpointKey));
  return outpoints.filter((outpoint) => !keys.has(outpointKey(outpoint)));
}
