// What an editor sees of a manifest: the schema that its first line names, and what that says of it.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import { createAjv } from '../../schemas/validation/ajv.ts'

const LINE = /^# yaml-language-server: \$schema=(\S+)$/

/** Why the file is not as its schema wants it, `change` made to it before; empty where it is. Throws without a schema. */
export function editorFaults(file: string, change: object = {}): string[] {
  const text = readFileSync(file, 'utf8')
  const path = LINE.exec(text.split('\n')[0]!)?.[1]
  if (!path) throw new Error(`${file} does not begin with the line of a schema`)
  const valid = createAjv().compile(JSON.parse(readFileSync(join(dirname(file), path), 'utf8')) as object)
  valid({ ...(parse(text) as object), ...change })
  return (valid.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
