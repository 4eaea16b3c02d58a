import * as calls from '@causeway/contract/operator-companies.ts';
import { type Http, route } from '../../../platform/http/route.ts';
import { addNote, get, invite, list, listInvitations, listNotes, revoke } from './service.ts';

/** The operator's calls about companies. */
export function registerCompanyRoutes(http: Http): void {
  route.operatorRead(http, calls.listCompanies, list);
  // It notes the look.
  route.operatorWrite(http, calls.getCompany, get);
  route.operatorRead(http, calls.listCompanyNotes, listNotes);
  route.operatorWrite(http, calls.addCompanyNote, addNote);
  route.operatorRead(http, calls.listCompanyInvitations, listInvitations);
  route.operatorWrite(http, calls.inviteNewCompany, invite);
  route.operatorWrite(http, calls.revokeCompanyInvitation, revoke);
}
