import type { InboxItem } from '../../schemas/gateway/inbox.ts'
import { exact } from './print.ts'

/** Words and names of others are in quotes, in which quotes, backslashes and invisible characters are escaped. */
export const partsText = (parts: InboxItem['title']): string =>
  parts
    .map((part) => ('text' in part ? part.text : `"${exact(part.quoted.replace(/["\\]/g, String.raw`\$&`))}"`))
    .join('')
