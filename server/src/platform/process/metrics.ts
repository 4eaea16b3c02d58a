import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/** The metrics of this process, in Prometheus' text format at `/metrics`. */
export const registry = new Registry();
collectDefaultMetrics({ register: registry });

/** A gauge with one value for each chain. */
export function chainGauge(name: string, help: string): Gauge<'chain'> {
  return new Gauge({ name, help, labelNames: ['chain'], registers: [registry] });
}
