import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

const src = fileURLToPath(new URL('./src', import.meta.url))
const dist = fileURLToPath(new URL('./dist', import.meta.url))
const api = process.env.VERDIGRAPH_URL ?? 'http://localhost:8080'

/** Writes a `.gz` beside every text file that gets smaller, so that the server compresses nothing at run time. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    closeBundle() {
      for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
        const path = join(dist, file)
        if (!/\.(js|css|html|svg|json)$/.test(file) || statSync(path).size < 1024) continue
        writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }))
      }
    },
  }
}

type Graph = { getModuleInfo(id: string): { importedIds: readonly string[] } | null }

let first: Set<string> | null = null
/** Whether every page loads this module: the entry imports it, or something that it imports does. */
function isInEveryPage(id: string, graph: Graph): boolean {
  if (!first) {
    first = new Set([join(src, 'main.tsx')])
    // A set that grows while it is walked hands out the new ones too.
    for (const one of first) for (const next of graph.getModuleInfo(one)?.importedIds ?? []) first.add(next)
  }
  return first.has(id)
}

export default defineConfig({
  plugins: [react(), precompress()],
  resolve: { alias: { '@': src } },
  server: { proxy: { '/api': api, '/media': api } },
  preview: { proxy: { '/api': api, '/media': api } },
  build: {
    manifest: true,
    target: 'es2022',
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      output: {
        // What every page loads comes as one file: a hundred small ones wait for each other on a slow network.
        codeSplitting: { groups: [{ name: (id, graph) => (isInEveryPage(id, graph) ? 'first' : null) }] },
      },
    },
  },
  test: {
    environment: 'jsdom',
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/shared/testing/setup.ts'],
    css: { modules: { classNameStrategy: 'non-scoped' } },
    testTimeout: 30_000,
  },
})
