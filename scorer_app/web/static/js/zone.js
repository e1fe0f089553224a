// Tells the server this device's time zone, in which pages show days and times.

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
document.cookie = `zone=${timeZone};path=/;max-age=31536000;samesite=lax`;
