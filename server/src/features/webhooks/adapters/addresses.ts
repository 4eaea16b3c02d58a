import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Where a webhook may lead. A company writes the address, and this server sends: without these rules it could be made to ask systems inside the installation
 * (server-side request forgery, OWASP). A name is resolved here, every address that it has must be allowed, and the connection goes to one of these
 * (`posting.ts`), so that a name cannot lead elsewhere between the two.
 */
export interface AddressRules {
  /** Networks (CIDR) that are allowed although they are not public. */
  allowedNetworks: readonly string[];
  ports: readonly number[];
  /** Without TLS, and then to allowed networks alone. */
  allowHttp: boolean;
}

/** Finds the addresses of a name; rejects where it has none. */
export type Resolve = (name: string) => Promise<readonly LookupAddress[]>;

export type AddressProblem = 'refused' | 'port' | 'name';

export class AddressRefused extends Error {
  readonly problem: AddressProblem;
  /** What is refused: an address, a port, a name. */
  readonly subject: string;

  constructor(problem: AddressProblem, subject: string) {
    super(`${problem}: ${subject}`);
    this.name = 'AddressRefused';
    this.problem = problem;
    this.subject = subject;
  }
}

export const resolveAll: Resolve = (name) => lookup(name, { all: true, verbatim: true });

const nameTimeoutMs = 5000;

/** The addresses that a URL leads to, all of them allowed. @throws AddressRefused */
export async function addressesOf(
  url: URL,
  rules: AddressRules,
  resolve: Resolve = resolveAll,
): Promise<readonly LookupAddress[]> {
  checkUrl(url, rules);
  const name = hostOf(url);
  const family = isIP(name);
  const found = family === 0 ? await resolved(name, resolve) : [{ address: name, family }];
  for (const { address } of found) {
    const isAllowed = url.protocol === 'http:' ? isInside(address, rules) : isReachable(address, rules);
    if (!isAllowed) throw new AddressRefused('refused', address);
  }
  return found;
}

/** The host as connections are made to it: an IPv6 address without its brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

function checkUrl(url: URL, { ports, allowHttp }: AddressRules): void {
  const isAllowedScheme = url.protocol === 'https:' || (url.protocol === 'http:' && allowHttp);
  if (!isAllowedScheme || url.hostname === '') throw new AddressRefused('refused', url.protocol);
  if (url.username !== '' || url.password !== '') throw new AddressRefused('refused', 'user:password@');
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  if (!ports.includes(port)) throw new AddressRefused('port', String(port));
}

async function resolved(name: string, resolve: Resolve): Promise<readonly LookupAddress[]> {
  const late = new Promise<never>((_, reject) => {
    AbortSignal.timeout(nameTimeoutMs).addEventListener('abort', () => reject(new AddressRefused('name', name)));
  });
  const found = await Promise.race([resolve(name), late]).catch(() => []);
  if (found.length === 0) throw new AddressRefused('name', name);
  return found;
}

/** Whether it may be sent to: a public address, or one inside that is allowed. */
export function isReachable(address: string, rules: Pick<AddressRules, 'allowedNetworks'>): boolean {
  return isInside(address, rules) || isPublic(address);
}

/** Whether it is in one of the allowed networks. */
function isInside(address: string, { allowedNetworks }: Pick<AddressRules, 'allowedNetworks'>): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return allowedNetworks.some((network) => {
    const [of, bits] = ipaddr.parseCIDR(network);
    return of.kind() === parsed.kind() && parsed.match([of, bits] as never);
  });
}

/** Special networks beside those that the library calls by name: RFC 6890 and the registries of IANA. */
const special = {
  ipv4: ['192.0.0.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24', '192.175.48.0/24', '198.18.0.0/15'],
  // Protocol assignments and documentation.
  ipv6: ['2001::/23', '2001:db8::/32', '3fff::/20', '2620:4f:8000::/48'],
} as const;
/** All of IPv6 that is given out for public use (RFC 4291, section 2.4; IANA): what carries an IPv4 address inside is not in it. */
const publicIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an address is globally routable unicast. */
export function isPublic(address: string): boolean {
  // Only in the one form that connections take: no octal, no short forms, no zone.
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  if (parsed instanceof ipaddr.IPv4) {
    return !special.ipv4.some((network) => parsed.match(ipaddr.IPv4.parseCIDR(network)));
  }
  if (!(parsed instanceof ipaddr.IPv6)) return false;
  return parsed.match(publicIpv6) && !special.ipv6.some((network) => parsed.match(ipaddr.IPv6.parseCIDR(network)));
}
