import * as z from 'zod';
import { signingSecret } from './config-values.ts';

/** The issuer of company cards (docs/adr/0102-…): where it is, what signs, and what it bills in. Without address and key no issuer is connected. */

/** Keys never travel in clear, except within this machine. */
const address = z.url({ protocol: /^https?$/ }).superRefine((url, context) => {
  const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: '', hostname: '' };
  if (protocol === 'https:' || ['127.0.0.1', '[::1]', 'localhost'].includes(hostname)) return;
  context.addIssue({ code: 'custom', message: 'wants https:, or this machine' });
});

const programs = z
  .string()
  .regex(/^[A-Z]{3}=[0-9a-f-]{36}(,[A-Z]{3}=[0-9a-f-]{36})*$/, 'wants CURRENCY=card programme, separated by commas')
  .transform((text) => new Map(text.split(',').map((pair) => [pair.slice(0, 3), pair.slice(4)])));

/** Of main, which signs the addresses of frames, and of the worker, which calls. */
export const askingIssuer = {
  ISSUER_URL: address.optional(),
  ISSUER_API_KEY: z.string().min(16).optional(),
  ISSUER_PROGRAMS: programs.optional(),
};

/** Of main: what verifies its requests and events. */
export const answeringIssuer = {
  ISSUER_AUTHORIZATION_SECRET: signingSecret.optional(),
  ISSUER_AUTHORIZATION_SECRET_PREVIOUS: signingSecret.optional(),
  ISSUER_EVENTS_SECRET: signingSecret.optional(),
  ISSUER_EVENTS_SECRET_PREVIOUS: signingSecret.optional(),
};

type Output<Shape extends z.ZodRawShape> = Partial<z.output<z.ZodObject<Shape>>>;
export type IssuerConfig = Output<typeof askingIssuer>;
export type IssuerSecretsConfig = Output<typeof answeringIssuer>;

export interface IssuerSettings {
  url: string;
  apiKey: string;
  /** By currency, ISO 4217. */
  programs: ReadonlyMap<string, string>;
}

/** Null: no issuer is connected. */
export function issuerSettingsOf(config: IssuerConfig): IssuerSettings | null {
  const { ISSUER_URL: url, ISSUER_API_KEY: apiKey, ISSUER_PROGRAMS: known } = config;
  return url && apiKey && known ? { url, apiKey, programs: known } : null;
}

/** The current secrets and those before them; null where one of the current is missing: nothing of the issuer is accepted. */
export function issuerSecretsOf(config: IssuerSecretsConfig): { authorization: string[]; events: string[] } | null {
  const { ISSUER_AUTHORIZATION_SECRET: authorization, ISSUER_EVENTS_SECRET: events } = config;
  if (!authorization || !events) return null;
  const both = (current: string, previous: string | undefined) => (previous ? [current, previous] : [current]);
  return {
    authorization: both(authorization, config.ISSUER_AUTHORIZATION_SECRET_PREVIOUS),
    events: both(events, config.ISSUER_EVENTS_SECRET_PREVIOUS),
  };
}
