import { collectDefaultMetrics, Registry } from 'prom-client';

/** The metrics of this process, in Prometheus' text format at `/metrics`. */
export const registry = new Registry();
collectDefaultMetrics({ register: registry });
