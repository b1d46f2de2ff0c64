// What the setting of the store may say.
import { STORES } from './port.ts'

/** `auto` is LanceDB where it can run, and files where not. */
export const STORE_CHOICES = ['auto', ...STORES] as const
export type StoreChoice = (typeof STORE_CHOICES)[number]
