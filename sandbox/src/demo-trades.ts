import type { DeskClient } from './desk-client.ts';

/** Trades of the demo company on the sandbox's platform: one to confirm, with milestones, and one that it sells. */

const OUTSIDE = { name: 'Delta Textiles Limited', address: '8 Renmin Road, Guangzhou' };
const BUYER_ABROAD = { name: 'Kowloon Mills Limited', address: '22 Canton Road, Hong Kong' };
const ADDRESS = '1 Queen’s Road Central, Hong Kong';
const WEEK_HOURS = 168;

/** Makes them unless they are there. */
export async function ensureDemoTrades(desk: DeskClient, company: string, wallet: string): Promise<void> {
  const known = JSON.stringify(await desk.call('trades'));
  const own = { name: company, address: ADDRESS, wallet };
  const terms = { network: 'ethereum', currency: 'USDT', actInHours: WEEK_HOURS };
  const trades = [
    {
      ...terms,
      number: 'TG-DEMO-1001',
      quantity: '6000',
      buyer: own,
      seller: { ...OUTSIDE, wallet: '0x3f5CE5FBFe3E9af3971dD833D26bA9b5C936f0bE' },
      milestones: [
        { name: 'Goods on board', amount: '2000' },
        { name: 'Inspection passed', amount: '4000' },
      ],
    },
    {
      ...terms,
      number: 'TG-DEMO-1002',
      quantity: '1500',
      buyer: { ...BUYER_ABROAD, wallet: '0x281055Afc982d96fAB65b3a49cAc8b878184Cb16' },
      seller: own,
    },
  ];
  for (const trade of trades) if (!known.includes(trade.number)) await desk.call('trades', trade);
}
