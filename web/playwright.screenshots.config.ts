import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'
import tests from './playwright.config'

/** Takes screenshots instead of running tests. Only the time limit differs from the tests' settings. */
export default defineConfig({
  ...tests,
  testDir: 'e2e/screenshots',
  testMatch: '*.shots.ts',
  timeout: 600_000,
  use: { ...tests.use, trace: 'off' },
  metadata: { folder: process.env.SCREENSHOTS ?? fileURLToPath(new URL('../screenshots/', import.meta.url)) },
})
