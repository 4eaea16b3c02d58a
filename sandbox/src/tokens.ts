/**
 * The contracts on the local chain. Deployer and nonces are always the same, so the addresses are too: they can be
 * written into a configuration before there is a chain.
 */
export type TokenCoin = 'USDT' | 'USDC' | 'HKDT' | 'FAKE';

/** What the faucet gives. */
export const FAUCET_COINS = ['ETH', 'USDT', 'USDC', 'HKDT', 'FAKE'] as const;
export type FaucetCoin = (typeof FAUCET_COINS)[number];

export const TOKEN_DECIMALS = 6;

/** In the order of their deployment. FAKE calls itself USDT and is none. */
export const TOKENS: readonly { coin: TokenCoin; name: string; symbol: string; address: `0x${string}` }[] = [
  { coin: 'USDT', name: 'Tether USD', symbol: 'USDT', address: '0x5FbDB2315678afecb367f032d93F642f64180aa3' },
  { coin: 'USDC', name: 'USD Coin', symbol: 'USDC', address: '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512' },
  {
    coin: 'HKDT',
    name: 'Hong Kong Dollar Token',
    symbol: 'HKDT',
    address: '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0',
  },
  { coin: 'FAKE', name: 'Tether USD', symbol: 'USDT', address: '0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9' },
];

/** Passes ether on from a contract; deployed after the tokens. */
export const FORWARDER = '0xDc64a140Aa3E981100a9becA4E685f962f0cF6C9';

export const CHAIN_ID = 31337;
