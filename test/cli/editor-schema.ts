// Validates manifests with the schema that their first line references, like an editor.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import { createAjv } from '../../schemas/validation/ajv.ts'

const LINE = /^# yaml-language-server: \$schema=(\S+)$/

/** Errors of the file with `change` applied. Throws without a schema line. */
export function editorFaults(file: string, change: object = {}): string[] {
  const text = readFileSync(file, 'utf8')
  const path = LINE.exec(text.split('\n')[0]!)?.[1]
  if (!path) throw new Error(`${file} does not begin with the line of a schema`)
  const valid = createAjv().compile(JSON.parse(readFileSync(join(dirname(file), path), 'utf8')) as object)
  valid({ ...(parse(text) as object), ...change })
  return (valid.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
