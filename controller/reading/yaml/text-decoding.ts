import { isAscii, isUtf8 } from 'node:buffer'
import { isLfsPointer, lfsPointerFault } from '../../../schemas/validation/lfs-pointer.ts'
import { textFault } from '../../../schemas/validation/text.ts'
import type { Position } from '../desired-state.ts'
import { Lines } from './positions.ts'
import { MOST_BYTES } from './parse.ts'

export interface FileFault {
  code: string
  message: string
  hint: string
  at?: Position
}

export const TOO_LARGE: FileFault = {
  code: 'file-too-large',
  message: `the file is larger than ${MOST_BYTES / 1024 / 1024} MiB, the maximum for a manifest`,
  hint: 'split it, or move files that are not manifests out of the folder',
}

/** Accepts UTF-8 without NUL and lone surrogates that is no git LFS pointer; drops a byte order mark. */
export function decode(content: Uint8Array | string): { text: string } | { fault: FileFault } {
  if (typeof content === 'string')
    return Buffer.byteLength(content) > MOST_BYTES ? { fault: TOO_LARGE } : check(content)
  if (content.length > MOST_BYTES) return { fault: TOO_LARGE }
  if (!isUtf8(content))
    return {
      fault: {
        code: 'not-utf8',
        message: 'the file is not UTF-8',
        hint: 'save it as UTF-8',
        at: firstBadByte(content),
      },
    }
  const buffer = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  return check(buffer.toString(isAscii(content) ? 'latin1' : 'utf8'))
}

function check(written: string): { text: string } | { fault: FileFault } {
  const text = written.charCodeAt(0) === 0xfeff ? written.slice(1) : written
  if (isLfsPointer(text)) return { fault: lfsPointerFault('this') }
  const fault = textFault(text)
  if (fault === null) return { text }
  return {
    fault: {
      code: fault.code,
      message: `the file contains ${fault.seen}`,
      hint: 'remove it; is this a YAML file?',
      at: new Lines(text).at(fault.at),
    },
  }
}

function firstBadByte(bytes: Uint8Array): Position {
  for (let line = 1, start = 0; ; line++) {
    const newline = bytes.indexOf(10, start)
    const row = bytes.subarray(start, newline < 0 ? bytes.length : newline)
    if (!isUtf8(row) || newline < 0)
      return { line, column: new TextDecoder('utf-8', { ignoreBOM: true }).decode(row).indexOf('\uFFFD') + 1 }
    start = newline + 1
  }
}
