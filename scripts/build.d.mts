import type { BuildOptions } from 'esbuild'

export const SHARED: BuildOptions
export function build(outdir?: string, onStart?: () => void): Promise<number>
export function writeTable(esbuild: typeof import('esbuild')): Promise<void>
export function buildIfStale(): Promise<void>
