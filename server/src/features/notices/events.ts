/** A notice is to be mailed to one person: `MailDue`. */
export const mailDue = 'notices.mailDue';

export interface MailDue {
  noticeId: string;
  userId: string;
}
