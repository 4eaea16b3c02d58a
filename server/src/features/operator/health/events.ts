/** An operator has decided about a job that failed for good: `{ jobId, act: 'retry' | 'setAside' }`. */
export const jobDecided = 'operator.jobDecided';
