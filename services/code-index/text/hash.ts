import { createHash } from 'node:crypto'

/** First 128 bits of SHA-256, in hex. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)
