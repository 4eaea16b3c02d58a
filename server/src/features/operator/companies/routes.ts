import * as calls from '@causeway/contract/operator-companies.ts';
import { type Http, route, withPorts } from '../../../platform/http/route.ts';
import { getActivity } from './activity.ts';
import { getControls } from './controls.ts';
import { addDocument, type DocumentPorts, downloadDocument, listDocuments } from './documents.ts';
import { addNote, get, invite, list, listInvitations, listNotes, revoke } from './service.ts';

/** The operator's calls about companies. */
export function registerCompanyRoutes(http: Http, ports: DocumentPorts): void {
  route.operatorRead(http, calls.listCompanies, list);
  // These note the look.
  route.operatorWrite(http, calls.getCompany, get);
  route.operatorWrite(http, calls.getCompanyActivity, getActivity);
  route.operatorWrite(http, calls.getCompanyControls, getControls);
  route.operatorRead(http, calls.listCompanyNotes, listNotes);
  route.operatorWrite(http, calls.addCompanyNote, addNote);
  route.operatorRead(http, calls.listCompanyInvitations, listInvitations);
  route.operatorWrite(http, calls.inviteNewCompany, invite);
  route.operatorWrite(http, calls.revokeCompanyInvitation, revoke);
  const withStore = withPorts(http, ports);
  route.operatorRead(http, calls.listCompanyDocuments, listDocuments);
  route.open(withStore, calls.addCompanyDocument, 'slow work', addDocument);
  route.open(withStore, calls.downloadCompanyDocument, 'slow work', downloadDocument);
}
