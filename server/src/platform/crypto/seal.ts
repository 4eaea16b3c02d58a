import { createPrivateKey, createPublicKey, type JsonWebKey, sign, verify } from 'node:crypto';

/**
 * Seals between the processes: a compact JWS (RFC 7515) with EdDSA (RFC 8037). Only the HTTP process holds the private key, so neither
 * the worker nor anybody with its database rights can make one; the signer verifies with the public key.
 */

/** What is sealed: `typ` in the header, so that a seal of one kind never passes as another. */
export type SealType =
  | 'causeway-transfer'
  | 'causeway-acceleration'
  | 'causeway-payout'
  | 'causeway-exchange'
  | 'causeway-decision'
  | 'causeway-queue'
  | 'causeway-fees'
  | 'causeway-replacement';

export type Seal = (type: SealType, claims: object) => string;

/** The claims of a genuine seal of this type; null when it does not hold. */
export type OpenSeal = (type: SealType, jws: string) => unknown;

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Seals with the newest key; its `kid`, where it has one, travels in the header. */
export function createSeal(privateKey: JsonWebKey): Seal {
  const key = createPrivateKey({ key: privateKey, format: 'jwk' });
  const { kid } = privateKey;
  const headers = new Map<SealType, string>();
  const headerOf = (type: SealType): string => {
    const header =
      headers.get(type) ?? encode({ alg: 'EdDSA', typ: type, ...(typeof kid === 'string' ? { kid } : {}) });
    headers.set(type, header);
    return header;
  };
  return (type, claims) => {
    const signed = `${headerOf(type)}.${encode(claims)}`;
    return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`;
  };
}

/**
 * Opens seals of the newest key and of those before it, so that what was sealed before a rotation can still be carried out.
 * A seal that names its key is verified with the keys of that name alone.
 */
export function createOpenSeal(...publicKeys: readonly JsonWebKey[]): OpenSeal {
  const keys = publicKeys.map((jwk) => ({ kid: jwk['kid'], key: createPublicKey({ key: jwk, format: 'jwk' }) }));
  return (type, jws) => {
    const [header = '', payload = '', signature = '', ...rest] = jws.split('.');
    if (rest.length > 0) return null;
    const { alg, typ, kid } = readHeader(header);
    if (alg !== 'EdDSA' || typ !== type) return null;
    const signed = Buffer.from(`${header}.${payload}`);
    const bytes = Buffer.from(signature, 'base64url');
    const candidates = keys.filter((each) => kid === undefined || each.kid === undefined || each.kid === kid);
    if (!candidates.some(({ key }) => verify(null, signed, key, bytes))) return null;
    return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  };
}

/** What only the operator's process seals; its key opens nothing else, and no other key opens these. */
const operatorSeals: ReadonlySet<SealType> = new Set(['causeway-fees', 'causeway-replacement']);

/** Opens the seals of both sides, each with that side's keys alone. */
export function openSealsOf(keys: Readonly<Record<'companies' | 'operator', readonly JsonWebKey[]>>): OpenSeal {
  const [ofCompanies, ofOperator] = [createOpenSeal(...keys.companies), createOpenSeal(...keys.operator)];
  return (type, jws) => (operatorSeals.has(type) ? ofOperator : ofCompanies)(type, jws);
}

/** The header is not verified yet: it only says which key to try. */
function readHeader(header: string): { alg?: unknown; typ?: unknown; kid?: unknown } {
  try {
    const value: unknown = JSON.parse(Buffer.from(header, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
