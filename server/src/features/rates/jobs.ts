import { type Sweep, sweepBatch } from '../../platform/jobs/sweeping.ts';
import { sweepPoints } from './mids/store.ts';

/** Mids of minutes older than two days and of hours older than forty; those of days stay. */
export const ratesSweep: Sweep = {
  name: 'rates.points',
  run: (database) => database.withoutCompany((tx) => sweepPoints(tx, sweepBatch)),
};
