import { type CardPorts, createLithicIssuer, lithicProtocol } from './features/cards/index.ts';
import {
  type IssuerConfig,
  type IssuerSecretsConfig,
  issuerSecretsOf,
  issuerSettingsOf,
} from './platform/config/issuer.ts';

/** The issuer of cards that the configuration names: what is asked of it; null where none is connected. */
export function cardIssuerOf(config: IssuerConfig): CardPorts['issuer'] {
  const settings = issuerSettingsOf(config);
  return settings && createLithicIssuer(settings);
}

/** The same for the HTTP process, with how it speaks to us: without its secrets nothing that it sends is accepted. */
export function cardPortsOf(config: IssuerConfig & IssuerSecretsConfig): CardPorts {
  const secrets = issuerSecretsOf(config);
  return { issuer: cardIssuerOf(config), protocol: secrets && lithicProtocol(secrets) };
}
