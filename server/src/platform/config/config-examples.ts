/** What a person needs in order to mend a variable: what it is, and an example of its form. */
interface VariableHelp {
  is: string;
  example: string;
}

const postgres = (role: string): VariableHelp => ({
  is: `the address of PostgreSQL for the role ${role}`,
  example: `postgres://${role}:PASSWORD@db.internal:5432/causeway`,
});
const port = (example: string): VariableHelp => ({ is: 'a port between 1 and 65535', example });
const randomBytes: VariableHelp = {
  is: 'at least 32 random bytes, base64url; "keys create" makes one',
  example: 'b64url-characters-43-or-more-0000000000000000',
};
const earlierSecrets: VariableHelp = {
  is: 'earlier secrets that are still accepted, separated by commas',
  example: 'b64url-characters-43-or-more-0000000000000000',
};
const wei = (example: string): VariableHelp => ({ is: 'a whole number of wei', example });
const x = 'x'.repeat(42).replace(/^./, 'A');

const signing = `whsec_${'x'.repeat(44)}`;

/** What `keys create` writes where only the operator knows the value. */
export const toBeFilledIn = 'FILL_IN';

/** Every variable of the configuration. The examples have the right form and open nothing. */
export const variableHelp: Readonly<Record<string, VariableHelp>> = {
  LOG_LEVEL: { is: 'one of fatal, error, warn, info, debug, trace, silent', example: 'info' },
  CHAINS_FILE: { is: 'the path of the JSON file that lists the chains', example: '/etc/causeway/chains.json' },
  BANK_REGISTRY_FILE: { is: 'the path of the JSON file that lists the banks', example: '/etc/causeway/banks.json' },
  BANK_CONNECTIONS_FILE: {
    is: 'the path of the JSON file with the connections to banks',
    example: '/etc/causeway/bank-connections.json',
  },
  LIQUIDITY_FILE: {
    is: 'the path of the JSON file with the venues at which positions are hedged',
    example: '/etc/causeway/liquidity.json',
  },
  BANK_CALENDAR_FILE: {
    is: 'the path of the JSON file with the working days of currencies',
    example: '/etc/causeway/bank-calendars.json',
  },
  PUBLIC_URL: { is: 'the address under which people open the console', example: 'https://console.example.com' },
  SMTP_URL: { is: 'the address of the mail server', example: 'smtps://user:PASSWORD@mail.example.com:465' },
  MAIL_FROM: { is: 'the sender of mails', example: 'Causeway <no-reply@example.com>' },
  SUPPORT_EMAIL: { is: 'the email address at which companies reach support', example: 'support@example.com' },
  SUPPORT_PHONE: { is: 'the telephone number at which companies reach support', example: '+852 1234 5678' },
  MAIL_SECRET: randomBytes,
  MAIL_SECRET_PREVIOUS: earlierSecrets,
  WEBHOOK_SECRET: randomBytes,
  WEBHOOK_SECRET_PREVIOUS: earlierSecrets,
  WEBHOOK_ALLOWED_NETWORKS: {
    is: 'networks inside to which webhooks may be sent, separated by commas',
    example: '10.20.0.0/16,fd12:3456:789a::/48',
  },
  WEBHOOK_PORTS: { is: 'the ports to which webhooks may be sent, separated by commas', example: '443,8443' },
  WEBHOOK_ALLOW_HTTP: {
    is: 'true or false: whether webhooks may go without TLS to allowed networks',
    example: 'false',
  },
  TRADE_EVENTS_SECRET: {
    is: 'whsec_ and 24 to 64 random bytes in base64, which the trade platform signs its events with',
    example: signing,
  },
  TRADE_EVENTS_SECRET_PREVIOUS: {
    is: 'the same of before a rotation, until the platform signs with the new one',
    example: signing,
  },
  TRADE_PLATFORM_URL: {
    is: 'the address at which the trade platform takes confirmations',
    example: 'https://trades.example.com/confirmations',
  },
  TRADE_CONFIRMATION_SECRET: {
    is: 'whsec_ and 24 to 64 random bytes in base64, which confirmations are signed with',
    example: signing,
  },
  ISSUER_URL: {
    is: 'the address of the API of the issuer of company cards',
    example: 'https://api.lithic.com',
  },
  ISSUER_API_KEY: {
    is: "the issuer's key for this program; it also signs the addresses of the frames that show card numbers",
    example: '00000000-0000-0000-0000-000000000000',
  },
  ISSUER_PROGRAMS: {
    is: 'the card programme of each currency that the issuer bills in, separated by commas',
    example: 'USD=00000000-0000-0000-0000-000000000000',
  },
  ISSUER_AUTHORIZATION_SECRET: {
    is: 'whsec_ and 24 to 64 random bytes in base64, which the issuer signs its requests for approval with',
    example: signing,
  },
  ISSUER_AUTHORIZATION_SECRET_PREVIOUS: {
    is: 'the same of before a rotation, until the issuer signs with the new one alone',
    example: signing,
  },
  ISSUER_EVENTS_SECRET: {
    is: 'whsec_ and 24 to 64 random bytes in base64, which the issuer signs its events with',
    example: signing,
  },
  ISSUER_EVENTS_SECRET_PREVIOUS: {
    is: 'the same of before a rotation, until the issuer signs with the new one',
    example: signing,
  },
  DATABASE_OWNER_URL: {
    ...postgres('causeway_admin'),
    is: 'the address of PostgreSQL for a role that may create roles',
  },
  DATABASE_APP_URL: postgres('causeway_app'),
  DATABASE_WORKER_URL: postgres('causeway_worker'),
  DATABASE_SIGNER_URL: postgres('causeway_signer'),
  DATABASE_OPERATOR_URL: postgres('causeway_operator'),
  DATABASE_CONSOLE_URL: postgres('causeway_console'),
  OPERATOR_DATABASE_POOL_SIZE: { is: 'a number of connections between 3 and 200', example: '6' },
  OPERATOR_HTTP_HOST: {
    is: "the address that the operator's console listens on, never a public one",
    example: '127.0.0.1',
  },
  OPERATOR_HTTP_PORT: port('8083'),
  OPERATOR_URL: {
    is: "the address under which the operator's people open their console",
    example: 'https://operator.internal.example.com',
  },
  OPERATOR_WEB_DIR: {
    is: "the folder of the built web app of the operator's console",
    example: '/opt/causeway/web/dist-operator',
  },
  OPERATOR_LOOK_PORT: port('8084'),
  OPERATOR_LOOK_URL: {
    is: "the address under which the operator's people see a company as it sees itself, at an origin of its own",
    example: 'https://look.internal.example.com',
  },
  OPERATOR_LOOK_WEB_DIR: {
    is: "the folder of the companies' built web app, for that address",
    example: '/opt/causeway/web/dist',
  },
  OPERATOR_FILES_DIR: {
    is: 'the folder of documents about companies, of operator-main alone',
    example: '/var/lib/causeway-operator/files',
  },
  OPERATOR_SECRET: randomBytes,
  OPERATOR_SECRET_PREVIOUS: earlierSecrets,
  OPERATOR_MAIL_SECRET: randomBytes,
  OPERATOR_MAIL_SECRET_PREVIOUS: earlierSecrets,
  OPERATOR_AUTHORISATION_KEY: {
    is: 'the private Ed25519 key of operator-main as JSON Web Key on one line; "keys create" makes one',
    example: `{"kty":"OKP","crv":"Ed25519","x":"${x}A","d":"${x}A"}`,
  },
  OPERATOR_AUTHORISATION_PUBLIC_KEY: {
    is: 'the public half of OPERATOR_AUTHORISATION_KEY as JSON Web Key on one line',
    example: `{"kty":"OKP","crv":"Ed25519","x":"${x}A"}`,
  },
  OPERATOR_AUTHORISATION_PUBLIC_KEY_PREVIOUS: {
    is: 'public halves of earlier keys of operator-main as a JWK Set on one line',
    example: `{"keys":[{"kty":"OKP","crv":"Ed25519","x":"${x}A"}]}`,
  },
  OPERATOR_PASSWORD_KEY: {
    is: 'a private RSA key of 3072 bits as JSON Web Key on one line; "keys create" makes one',
    example: '{"kty":"RSA","n":"…","e":"AQAB","d":"…","p":"…","q":"…","dp":"…","dq":"…","qi":"…"}',
  },
  OPERATOR_PASSWORD_KEY_PREVIOUS: {
    is: 'earlier private RSA keys as a JWK Set on one line',
    example: '{"keys":[{"kty":"RSA","n":"…","e":"AQAB","d":"…","p":"…","q":"…","dp":"…","dq":"…","qi":"…"}]}',
  },
  DATABASE_POOL_SIZE: { is: 'a number of connections between 1 and 200', example: '12' },
  BATCH_CONNECTIONS: { is: 'how many batches of submissions are under way at once, between 1 and 16', example: '2' },
  BATCH_MAX_SIZE: { is: 'how many submissions a batch has at most, between 1 and 100', example: '32' },
  HTTP_HOST: { is: 'the address to listen on', example: '127.0.0.1' },
  HTTP_PORT: port('8080'),
  HTTP_HEADERS_TIMEOUT_MS: { is: 'how long the headers of a request may take, in milliseconds', example: '15000' },
  HTTP_BODY_GRACE_MS: { is: 'how long a body may take before its rate counts, in milliseconds', example: '15000' },
  HTTP_BODY_MIN_BYTES_PER_SECOND: { is: 'the rate below which a body is given up, in bytes a second', example: '8192' },
  HTTP_IDLE_TIMEOUT_MS: { is: 'how long a connection may carry no byte, in milliseconds', example: '90000' },
  HTTP_KEEP_ALIVE_TIMEOUT_MS: {
    is: 'how long a connection waits for the next request, in milliseconds',
    example: '72000',
  },
  HTTP_CHECK_INTERVAL_MS: { is: 'how often slow requests are looked for, in milliseconds', example: '2000' },
  HTTP_MAX_CONNECTIONS: { is: 'how many connections may be open', example: '8192' },
  HTTP_MAX_CONNECTIONS_PER_ADDRESS: {
    is: 'how many of them from one address, where no proxy is trusted',
    example: '512',
  },
  WORKER_HTTP_PORT: port('8081'),
  SIGNER_HTTP_PORT: port('8082'),
  DRAIN_MS: {
    is: 'the milliseconds from SIGTERM to the end of listening, at most 60000',
    example: '5000',
  },
  TRUSTED_PROXIES: {
    is: 'the addresses or networks of the proxies that may set X-Forwarded-For, separated by commas',
    example: '127.0.0.1,10.0.0.0/24',
  },
  FILES_DIR: { is: 'the folder of uploaded files, shared by main and worker', example: '/var/lib/causeway/files' },
  WEB_DIR: { is: 'the folder of the built web app', example: '/opt/causeway/web/dist' },
  APP_SECRET: randomBytes,
  APP_SECRET_PREVIOUS: earlierSecrets,
  AUTHORISATION_KEY: {
    is: 'the private Ed25519 key as JSON Web Key on one line; "keys create" makes one',
    example: `{"kty":"OKP","crv":"Ed25519","x":"${x}A","d":"${x}A"}`,
  },
  AUTHORISATION_PUBLIC_KEY: {
    is: 'the public half of AUTHORISATION_KEY as JSON Web Key on one line',
    example: `{"kty":"OKP","crv":"Ed25519","x":"${x}A"}`,
  },
  AUTHORISATION_PUBLIC_KEY_PREVIOUS: {
    is: 'public halves of earlier authorisation keys as a JWK Set on one line',
    example: `{"keys":[{"kty":"OKP","crv":"Ed25519","x":"${x}A"}]}`,
  },
  PASSWORD_KEY: {
    is: 'a private RSA key of 3072 bits as JSON Web Key on one line; "keys create" makes one',
    example: '{"kty":"RSA","n":"…","e":"AQAB","d":"…","p":"…","q":"…","dp":"…","dq":"…","qi":"…"}',
  },
  PASSWORD_KEY_PREVIOUS: {
    is: 'earlier private RSA keys as a JWK Set on one line',
    example: '{"keys":[{"kty":"RSA","n":"…","e":"AQAB","d":"…","p":"…","q":"…","dp":"…","dq":"…","qi":"…"}]}',
  },
  PASSWORD_MAX_LENGTH: { is: 'a length between 8 and 128', example: '16' },
  PRICES_URL: { is: "the address of CoinGecko's API", example: 'https://pro-api.coingecko.com' },
  PRICES_API_KEY: { is: "the key of CoinGecko's API", example: 'CG-KEY' },
  PRICE_SOURCES_FILE: {
    is: 'the path of a JSON file with the sources of prices for exchange',
    example: '/etc/causeway/price-sources.json',
  },
  EVM_XPUB: { is: 'the extended public key that "keystore create" printed', example: 'xpub6…' },
  EVM_GAS_TANK: {
    is: 'the address of the gas tank that "keystore create" printed',
    example: '0x0000000000000000000000000000000000000001',
  },
  EVM_TREASURY: {
    is: 'the address of the treasury that "keystore create" or "keystore show" printed',
    example: '0x0000000000000000000000000000000000000002',
  },
  BITCOIN_XPUB: {
    is: 'the extended public key of the network that "keystore create" or "keystore show" printed under families, bitcoin: xpub for the main network, testXpub for every other',
    example: 'xpub6…',
  },
  BITCOIN_TREASURY: {
    is: 'the address of the treasury that "keystore create" or "keystore show" printed under families, bitcoin: treasury, testTreasury or regtestTreasury',
    example: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
  },
  SIGNER_SOCKET: {
    is: "the path of the signer's socket, 100 characters at most",
    example: '/run/causeway/signer.sock',
  },
  SIGNER_SOCKET_MODE: {
    is: "0600 (only the signer's user may use the socket) or 0660 (also the group of its folder)",
    example: '0660',
  },
  SIGNER_JOURNAL_FILE: {
    is: "the signer's journal, in a folder of its own that is never restored with the database",
    example: '/var/lib/causeway-signer/journal.jsonl',
  },
  KEYSTORE_FILE: { is: 'the path of the key store', example: '/etc/causeway/signer/keystore.json' },
  KEYSTORE_PASSPHRASE: {
    is: "the key store's passphrase, 16 characters or more",
    example: 'correct horse battery staple',
  },
  KEYSTORE_NEW_FILE: { is: 'a path that does not exist yet', example: '/etc/causeway/signer/keystore-2.json' },
  KEYSTORE_NEW_PASSPHRASE: { is: 'the new passphrase, 16 characters or more', example: 'another horse battery staple' },
  SIGNER_MAX_NETWORK_FEE_WEI: wei('50000000000000000'),
  SIGNER_MAX_ADVANCE_WEI: wei('100000000000000000'),
  SIGNER_MAX_ADVANCES_PER_HOUR: { is: 'a number between 0 and 1000000', example: '1000' },
  SIGNER_BITCOIN_MAX_FEE_RATE: { is: 'satoshis per virtual byte between 1 and 100000', example: '500' },
  SIGNER_BITCOIN_MAX_FEE_PERCENT: { is: 'a percentage between 0 and 100', example: '10' },
  SIGNER_BITCOIN_SMALL_FEE: { is: 'satoshis between 0 and 100000000', example: '100000' },
  SIGNER_BITCOIN_MAX_ACCELERATIONS_PER_HOUR: { is: 'a number between 0 and 1000000', example: '60' },
  SIGNER_TREASURY_PER_DAY: {
    is: 'the most that may leave the treasury within 24 hours, by coin, in minor units',
    example: 'USDT=1000000000000,USDC=1000000000000',
  },
};

/** Says of one variable what is wrong and what it should look like; never shows its value. */
export function explainVariable(name: string, problem: string | null): string {
  const help = variableHelp[name];
  const wrong = problem === null ? 'is missing' : problem;
  if (help === undefined) return `${name} ${wrong}`;
  return `${name} ${wrong}: ${help.is}, for example ${name}=${quoted(help.example)}`;
}

function quoted(text: string): string {
  return /[\s"{]/.test(text) ? `'${text}'` : text;
}
