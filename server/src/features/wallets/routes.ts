import {
  announceRecharge,
  downloadFunding,
  getArriving,
  getFunding,
  getRecharge,
  listArriving,
  listRecharges,
  withdrawRecharge,
} from '@causeway/contract/recharges.ts';
import {
  getAddress,
  getAddressV2,
  getFee,
  getHistory,
  getOverview,
  getStatement,
  listChains,
  listFees,
  listReceivingAddresses,
  listWallets,
} from '@causeway/contract/wallets.ts';
import { type Http, route, withPorts } from '../../platform/http/route.ts';
import { describeArriving, describeArrivingOne } from './recharge/arriving.ts';
import { downloadFundingPdf } from './recharge/download.ts';
import { describeFunding } from './recharge/funding.ts';
import { announceNotice, describeNotice, describeNotices, withdrawNotice } from './recharge/notices.ts';
import { describeEarlierAddresses } from './service/addresses.ts';
import { describeFees, quoteFee } from './service/fees.ts';
import { valueHistory } from './service/history.ts';
import { addressOf, describeChains, describeReceiving, type ReceivingPorts } from './service/receiving.ts';
import { describeStatement, type StatementPorts } from './service/statement.ts';
import { valueCompany, valueWallets } from './service/valuation.ts';

export function registerWalletsRoutes(given: Http, ports: ReceivingPorts & StatementPorts): void {
  const http = withPorts(given, ports);
  route.read(http, getOverview, valueCompany);
  route.read(http, getHistory, valueHistory);
  route.read(http, getFee, quoteFee);
  route.read(http, listFees, describeFees);
  route.read(http, listChains, describeChains);
  route.read(http, listWallets, valueWallets);
  route.read(http, getAddress, addressOf);
  route.read(http, getAddressV2, describeReceiving);
  route.read(http, listReceivingAddresses, describeEarlierAddresses);
  route.read(http, getStatement, describeStatement);
  route.read(http, getFunding, describeFunding);
  route.open(http, downloadFunding, 'slow work', downloadFundingPdf);
  route.read(http, listArriving, describeArriving);
  route.read(http, getArriving, describeArrivingOne);
  route.write(http, announceRecharge, announceNotice);
  route.read(http, listRecharges, describeNotices);
  route.read(http, getRecharge, describeNotice);
  route.write(http, withdrawRecharge, withdrawNotice);
}
