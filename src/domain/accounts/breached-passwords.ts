// Lists the most common passwords in published data breaches, in lower case. The list contains only passwords with at least eight
// characters and a digit (reliability §2, line 6.2.4).

const LIST = `
  password1 password2 password3 password11 password12 password01 password123 password1234 password12345 password123456 password2024
  password2025 password2026 password1! password123! password@1 password@12 password@123 password@1234 mypassword1 passwort1
  passwort123 pa55word pa55w0rd pa$$w0rd passw0rd passw0rd1 passw0rd! p@ssw0rd p@ssw0rd1 p@ssw0rd123 p@ssword1 p@ssword123 p@$$w0rd
  p@55w0rd p4ssw0rd pass1234 pass123456 pass@123 pass@1234 pass@12345 qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456
  qwerty@123 qwertyuiop1 qwer1234 qwer4321 1234qwer 123qweasd 123qweasdzxc qwe123qwe 123qwe123 qwe12345 1q2w3e4r 1q2w3e4r5t q1w2e3r4
  q1w2e3r4t5 1qaz2wsx 1qazxsw2 zaq12wsx !qaz2wsx 1qaz@wsx qazwsx12 qazwsx123 12qwaszx azerty12 azerty123 asdf1234 asdfghjkl1
  asd12345 asdasd123 zxcvbnm1 zxcvbnm123 abc12345 abc123456 abc123abc abcd1234 abcd@123 abcd@1234 abcd1234@ abcdefg1 1234abcd
  abc@1234 abc@12345 a1b2c3d4 1a2b3c4d aaaa1111 aabb1122 aa112233 aa102030 aa123123 aa123456 aa1234567 aa12345678 aa123456789
  aa@12345 aa@123456 aa@1234567 aa@123456789 aa123456@ 123456aa 123456aa@ ab123456 a1234567 a12345678 a123456789 1234567a 12345678a
  123456789a welcome1 welcome12 welcome123 welcome1! welcome@1 welcome@123 welcome2024 welcome2025 welcome2026 admin123 admin1234
  admin12345 admin123456 admin123! admin@123 admin@1234 administrator1 adminadmin1 user1234 test1234 test@123 testing123 guest1234
  demo1234 demo@123 student1 changeme1 changeme123 letmein1 letmein123 iloveyou1 iloveyou2 iloveyou12 iloveyou123 iloveyou1!
  loveme123 trustno1 monkey123 dragon123 master123 sunshine1 sunshine123 princess1 princess123 football1 football123 baseball1
  basketball1 soccer123 superman1 batman123 starwars1 pokemon1 minecraft1 charlie1 michael1 jennifer1 jessica1 jordan23 michelle1
  daniel123 anthony1 matthew1 babygirl1 chocolate1 computer1 computer123 samsung1 google123 facebook1 myspace1 blink182 liverpool1
  whatever1 freedom1 jesus123 hello123 hello1234 secret123 summer123 summer2024 summer2025 summer2026 winter123 winter2025
  winter2026 spring2026 passover1 passover123 shalom123 india@123 pakistan123 heslo1234 senha123 lol123456 fuckyou1 asshole1
  mustang1 hunter12 killer123 flower123 cookie123 access14 qqww1122
`;

const BREACHED = new Set(LIST.trim().split(/\s+/));

export const isBreachedPassword = (password: string): boolean => BREACHED.has(password.toLowerCase());
