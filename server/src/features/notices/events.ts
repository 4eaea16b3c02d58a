/** The operator has published an announcement: `{ announcementId }`, under the nil company. */
export const announcementPublished = 'notices.announcementPublished';

/** A notice or an announcement is to be mailed to one person: `MailDue`. */
export const mailDue = 'notices.mailDue';

export interface MailDue {
  noticeId: string;
  userId: string;
}
