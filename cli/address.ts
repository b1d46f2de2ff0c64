import { readFileSync } from 'node:fs'
import type { RuntimeFile } from '../schemas/access/runtime-file.ts'
import { localUrl, portOwner, type Placed } from '../schemas/operations/operation.ts'
import { misuse } from './failure.ts'
import { config, variable } from './settings.ts'

export interface Address {
  base: string
  /** Where the address comes from, for error messages. */
  from: string
}

const DOCUMENTED_NAMES: Readonly<Record<string, string>> = {
  notify: 'NOTIFY_SERVICE_URL',
  index: 'SVC_INDEX_SERVICE_URL',
}

/** `from` of an address that is not configured. */
export const DEFAULT_PORT = 'the default port'

/** Resolves `--url`, SVC_<SERVICE>_URL, the runtime file of a running daemon and the configured port, in this order. */
export function addressOf(about: Placed, url?: string): Address {
  const { service } = about
  if (url !== undefined) return { base: normalise(url, '--url'), from: '--url' }
  for (const name of [`SVC_${service.toUpperCase()}_URL`, DOCUMENTED_NAMES[service]]) {
    const value = name && variable(name)
    if (value) return { base: normalise(value, name), from: name }
  }
  const running = runtimeFile()?.services[service]
  if (running) return { base: normalise(running, 'runtime.json'), from: config().runtimeFile }
  return { base: localUrl(about, config().port(portOwner(about))), from: DEFAULT_PORT }
}

/** True for the address of a service that takes any free port, if no daemon runs: its runtime file names the port. */
export const isAnyPort = (base: string): boolean => new URL(base).port === '0'

/** Reads the runtime file of a running daemon, or returns null. */
export function runtimeFile(): RuntimeFile | null {
  try {
    const file = JSON.parse(readFileSync(config().runtimeFile, 'utf8')) as RuntimeFile
    return typeof file.services === 'object' && file.services !== null ? file : null
  } catch {
    return null
  }
}

function normalise(text: string, from: string): string {
  const address = /^https?:\/\//.test(text) ? text : `http://${/^\d+$/.test(text) ? `127.0.0.1:${text}` : text}`
  if (!URL.canParse(address))
    throw misuse(`${from} is "${text}", which is not an address`, 'use an address such as http://127.0.0.1:17000')
  return address.replace(/\/+$/, '')
}
