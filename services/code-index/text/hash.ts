// The hash that rows, folders and files are known by.
import { createHash } from 'node:crypto'

/** The first 128 bits of its SHA-256, in hex. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)
