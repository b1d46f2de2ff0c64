// Reports of manifests that `svc validate` reads.
import { svc } from '../support/command.ts'
import { DaemonStand } from '../support/daemon.ts'
import type { Outcome, Report } from './report.ts'

async function validated(inputs: string): Promise<{ code: number; text: string }> {
  const { code, stdout, stderr } = await svc(['validate', inputs])
  return { code, text: stdout + stderr }
}

const quoted = (values: readonly string[]): string => values.map((value) => `"${value}"`).join(', ') || 'none'

const WRITTEN = ['4.10', '0755', '12345678901234567890', '1.10', '1e10', '0x1F']
const PARSED = ['4.1', '755', '12345678901234567000', '1.1', '10000000000', '31']

const hints: Report = {
  number: '02',
  name: 'hint-text',
  wanted: 'hints quote the text of the file',
  async run(inputs) {
    const { text } = await validated(inputs)
    const missing = WRITTEN.filter((value) => !text.includes(`"${value}"`))
    const wrong = PARSED.filter((value) => text.includes(`"${value}"`))
    const ok = missing.length + wrong.length === 0
    return { ok, came: ok ? quoted(WRITTEN) : `missing ${quoted(missing)}, instead ${quoted(wrong)}` }
  },
}

const FAULTY = ['agents/a.yml', 'documents/d.yml', 'rooms/half.yml', 'rooms/nul.yml', 'workflows/w.yml']
/** JSON with halves of surrogate pairs and NUL, as escapes. */
const BODIES: readonly (readonly [service: string, path: string, body: string])[] = [
  ['communicate', '/rooms', '{"name":"half","topic":"x\\ud800y","created_by":"mia"}'],
  ['communicate', '/rooms', '{"name":"nul","topic":"x\\u0000y","created_by":"mia"}'],
  ['orchestrator', '/agents', '{"name":"a","working_dir":"/tmp","runtime":"scripted","system_prompt":"x\\ud83d y"}'],
  ['docstore', '/v1/documents', '{"title":"T","content":"b\\ud800","created_by":"mia"}'],
]

const unstorable: Report = {
  number: '03',
  name: 'unstorable-text',
  wanted: 'a fault at each place in manifests, 400 by REST',
  async run(inputs) {
    const { code, text } = await validated(inputs)
    const unnamed = FAULTY.filter((file) => !new RegExp(`${file.replace('.', '\\.')}:\\d+:\\d+`).test(text))
    const statuses = await postedStatuses()
    const ok = code !== 0 && unnamed.length === 0 && statuses.every((status) => status === 400)
    const faults =
      unnamed.length === 0 ? `${FAULTY.length} files named with their places` : `no fault in ${unnamed.join(', ')}`
    return { ok, came: `${faults}; REST answers ${statuses.join(', ')}` }
  },
}

async function postedStatuses(): Promise<number[]> {
  const stand = await DaemonStand.create()
  try {
    await stand.start()
    const post = async ([service, path, body]: (typeof BODIES)[number]) =>
      (
        await fetch(stand.urls[service] + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        })
      ).status
    return await Promise.all(BODIES.map(post))
  } finally {
    await stand.close()
  }
}

const directive: Report = {
  number: '07',
  name: 'yaml-11-directive',
  wanted: 'read as YAML 1.2, or one fault that names the version',
  async run(inputs): Promise<Outcome> {
    const { code, text } = await validated(inputs)
    if (code === 0) return { ok: true, came: 'read as YAML 1.2' }
    const faults = new Set(text.match(/\ba\.yml:\d+:\d+/g))
    const isNamed = /YAML 1\.1/.test(text)
    return { ok: faults.size === 1 && isNamed, came: text.split('\n').find((line) => line.includes('a.yml')) ?? text }
  },
}

export const manifestReports: readonly Report[] = [hints, unstorable, directive]
