import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import type { Plugin, Rolldown } from 'vite'
import { defineConfig } from 'vitest/config'
import { PRELOADS } from './src/app/preloads.ts'

const src = fileURLToPath(new URL('./src', import.meta.url))
const dist = fileURLToPath(new URL('./dist', import.meta.url))
const api = process.env.VERDIGRAPH_URL ?? 'http://localhost:8080'
const proxy = { '/api': api, '/mcp': api, '/media': api, '/comfyui-editor': { target: api, ws: true } }

/** Writes a `.br` and a `.gz` file beside every larger text file, so that the server compresses nothing at run time. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    closeBundle() {
      for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
        const path = join(dist, file)
        if (!/\.(js|css|html|svg|json)$/.test(file) || statSync(path).size < 1024) continue
        const text = readFileSync(path)
        writeFileSync(`${path}.gz`, gzipSync(text, { level: 9 }))
        writeFileSync(`${path}.br`, brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
      }
    },
  }
}

/** Writes `ahead.json` for the server: the files and API calls of the landing pages. */
function ahead(): Plugin {
  return {
    name: 'ahead',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file): file is Rolldown.OutputChunk => file.type === 'chunk')
      const entry = chunks.find((chunk) => chunk.isEntry)
      /** A chunk with all its imports and their styles, imports first. */
      const filesOf = (chunk: Rolldown.OutputChunk | undefined, seen: Set<string>): string[] => {
        if (!chunk || seen.has(chunk.fileName)) return []
        seen.add(chunk.fileName)
        const below = chunk.imports.flatMap((name) =>
          filesOf(
            chunks.find((one) => one.fileName === name),
            seen,
          ),
        )
        return [...below, chunk.fileName, ...(chunk.viteMetadata?.importedCss ?? [])]
      }
      const pages = PRELOADS.map(({ path, page, guest, user }) => {
        const chunk = chunks.find((one) => one.facadeModuleId === fileURLToPath(new URL(page, import.meta.url)))
        if (!chunk) this.error(`${page} is no chunk of its own`)
        const seen = new Set<string>()
        return { path, files: [...filesOf(entry, seen), ...filesOf(chunk, seen)], guest, user }
      })
      this.emitFile({ type: 'asset', fileName: 'ahead.json', source: JSON.stringify(pages) })
    },
  }
}

export default defineConfig({
  plugins: [react(), ahead(), precompress()],
  resolve: { alias: { '@': src } },
  server: { proxy },
  preview: { proxy },
  build: {
    manifest: true,
    target: 'es2022',
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      output: {
        // What every page loads is one file: a hundred small files wait for each other on a slow network. What most
        // pages show is another. Only the used exports of an index are bundled (`sideEffects` in package.json).
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            // Without the entry: it awaits texts in this chunk, which would then wait for itself.
            { name: 'first', tags: ['$initial'], test: (id) => !id.endsWith('/src/main.tsx') },
            // The tables of admin pages, and their files.
            { name: 'tables', test: /\/src\/shared\/(?:lib\/csv|ui\/data-table)\./, priority: 1 },
            // Small, and each used by a few pages: files of their own would be larger.
            { name: 'page-events', test: /\/src\/shared\/lib\/(dropped-files|use-file-drop|use-unload-question)\./ },
            { name: 'parts', test: /\/src\/shared\/(lib|ui)\/[^/]+$/, minShareCount: 8 },
          ],
        },
      },
    },
  },
  test: {
    environment: 'jsdom',
    setupFiles: ['src/shared/testing/setup.ts'],
    css: { modules: { classNameStrategy: 'non-scoped' } },
    // Ends tests that hang. The longest ones take some seconds of processor time.
    testTimeout: 90_000,
    // All test files share one document and one copy of each module, which is four times as fast as isolation. Tests
    // that mock modules run isolated.
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: ['src/**/*.test.{ts,tsx}', 'editor/*.test.js'],
          exclude: ['src/**/*.alone.test.*'],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'alone', include: ['src/**/*.alone.test.{ts,tsx}'] } },
    ],
  },
})
