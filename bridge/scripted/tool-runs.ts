// Bash, Read, Write and Edit act; other tools return a fixed text.
import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { textAt, type Frame } from '../frames.ts'
import type { ToolCall } from './plan.ts'
import type { Timers } from '../timers.ts'

export const TOOL_NAMES = ['Bash', 'Edit', 'Read', 'Write']

export interface Workshop {
  directory: string
  env: NodeJS.ProcessEnv
  timers: Timers
}

export interface ToolResult {
  content: string
  isError: boolean
  /** Structured result: for Bash, its streams. */
  detail: unknown
}

type Output = Record<'stdout' | 'stderr', string>

const BASH_TIMEOUT_MS = 120_000
const MOST_CHARACTERS = 30_000

/** Never throws: errors become the result. Aborting kills the process group. */
export async function runTool(call: ToolCall, shop: Workshop, signal: AbortSignal): Promise<ToolResult> {
  try {
    if (call.name === 'Bash') return await runBash(call.input, shop, signal)
    const content = await actOnFile(call, shop)
    return { content, isError: false, detail: content }
  } catch (error) {
    const content = (error as Error).message
    return { content, isError: true, detail: `Error: ${content}` }
  }
}

async function actOnFile({ name, input }: ToolCall, shop: Workshop): Promise<string> {
  if (!TOOL_NAMES.includes(name)) return `${name} done`
  const path = resolve(shop.directory, required(input, 'file_path', name))
  if (name === 'Read') return clipped(await readFile(path, 'utf8'))
  if (name === 'Write') {
    await writeFile(path, required(input, 'content', name))
    return `File written: ${path}`
  }
  const before = await readFile(path, 'utf8')
  const old = required(input, 'old_string', name)
  const places = old === '' ? 0 : before.split(old).length - 1
  if (places !== 1) throw new Error(`Edit: expected old_string once in ${path}, found ${places} times`)
  await writeFile(
    path,
    before.replace(old, () => required(input, 'new_string', name)),
  )
  return `File edited: ${path}`
}

function required(input: Frame, member: string, tool: string): string {
  const value = textAt(input, member)
  if (value === null) throw new Error(`${tool} requires "${member}"`)
  return value
}

function clipped(text: string): string {
  return text.length > MOST_CHARACTERS
    ? `${text.slice(0, MOST_CHARACTERS)}\n… (${text.length - MOST_CHARACTERS} characters left out)`
    : text
}

function runBash(input: Frame, shop: Workshop, signal: AbortSignal): Promise<ToolResult> {
  const timeoutMs = typeof input['timeout'] === 'number' ? input['timeout'] : BASH_TIMEOUT_MS
  const child = spawn('bash', ['-c', required(input, 'command', 'Bash')], {
    cwd: shop.directory,
    env: shop.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const output: Output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout = clippedTail(output.stdout, text)))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr = clippedTail(output.stderr, text)))
  let late = false
  const kill = () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
  }
  signal.addEventListener('abort', kill, { once: true })
  const patience = shop.timers.after(timeoutMs, () => {
    late = true
    kill()
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      patience.cancel()
      signal.removeEventListener('abort', kill)
      resolve(
        bashResult(output, code, late ? `timed out after ${timeoutMs} ms` : signal.aborted ? 'interrupted' : null),
      )
    })
  })
}

function clippedTail(soFar: string, text: string): string {
  return soFar.length > MOST_CHARACTERS ? soFar : soFar + text
}

function bashResult(output: Output, code: number | null, stopped: string | null): ToolResult {
  const text = clipped(
    [output.stdout, output.stderr]
      .map((part) => part.trimEnd())
      .filter(Boolean)
      .join('\n'),
  )
  const failed = stopped ?? (code === 0 ? null : `Exit code ${code}`)
  const detail = { ...output, interrupted: stopped === 'interrupted', isImage: false, noOutputExpected: false }
  return failed === null
    ? { content: text, isError: false, detail }
    : { content: [failed, text].filter(Boolean).join('\n'), isError: true, detail: `Error: ${failed}` }
}
