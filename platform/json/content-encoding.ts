// Bodies that were compressed by the sender.
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { invalid, Problem } from '../core/problem.ts'

const UNPACK = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
}
const CODINGS = Object.keys(UNPACK).join(', ')

const codingOf = (header: string | string[] | undefined): string => [header].flat().join(', ').trim().toLowerCase()

export const isEncoded = (header: string | string[] | undefined): boolean =>
  !['', 'identity'].includes(codingOf(header))

/**
 * Returns the body before it was compressed. Throws 415 for an unknown encoding, 413 above `limit` bytes, and 400 if the
 * bytes are not of that encoding.
 */
export async function unpacked(bytes: Buffer, header: string | string[] | undefined, limit: number): Promise<Buffer> {
  if (!isEncoded(header)) return bytes
  const coding = codingOf(header)
  if (!Object.hasOwn(UNPACK, coding))
    throw new Problem(
      415,
      `the Content-Encoding ${coding.slice(0, 60)} is not supported: use one of ${CODINGS}, or none`,
    )
  try {
    return await UNPACK[coding as keyof typeof UNPACK](bytes, { maxOutputLength: limit })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new Problem(413, `the body is larger than ${limit} bytes when it is unpacked: send less`)
    throw invalid(`the body is not valid ${coding}, which its Content-Encoding names`)
  }
}
