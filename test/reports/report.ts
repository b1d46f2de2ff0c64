// Inputs of public bug reports, and what svc makes of them.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface Outcome {
  ok: boolean
  /** Short description of the result. */
  came: string
}

export interface Report {
  number: string
  name: string
  /** What should happen. */
  wanted: string
  /** `inputs` is a writable copy of the folder of the report; files that it lacks are made here. */
  run(inputs: string): Promise<Outcome>
}

export interface Line extends Outcome {
  text: string
}

/** Runs one report on its inputs in `folder`, such as `folder/05-mentions`. */
export async function runReport(report: Report, folder: string): Promise<Line> {
  const { number, name, wanted } = report
  const inputs = mkdtempSync(join(tmpdir(), `svc-report-${number}-`))
  try {
    const given = readdirSync(folder).find((entry) => entry.startsWith(`${number}-`))
    if (given !== undefined) copyFiles(join(folder, given), inputs)
    const { ok, came } = await report.run(inputs).catch((error: Error) => ({ ok: false, came: error.message }))
    const shown = came.replace(/\s+/g, ' ').trim().slice(0, 300)
    return { ok, came: shown, text: `${ok ? 'ok    ' : 'NOT OK'} ${number} ${name}: should: ${wanted}; came: ${shown}` }
  } finally {
    rmSync(inputs, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The copy is writable even if the given files are not. */
function copyFiles(from: string, to: string): void {
  for (const entry of readdirSync(from)) {
    const [source, target] = [join(from, entry), join(to, entry)]
    if (statSync(source).isDirectory()) {
      mkdirSync(target)
      copyFiles(source, target)
    } else writeFileSync(target, readFileSync(source))
  }
}

/** Writes an input that the report describes instead of containing it. */
export function makeInput(path: string, content: string): void {
  if (existsSync(path)) return
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

/** Moves the manifests of a report to a daemon's folder. */
export const copyManifests = (inputs: string, manifests: string): void => cpSync(inputs, manifests, { recursive: true })
