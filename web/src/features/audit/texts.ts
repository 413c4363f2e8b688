import { addTexts } from '@/shared/i18n/late'
import texts from '@/shared/i18n/locales/en/audit.json'

addTexts('audit', texts)
